# Where the libraries of others come from: this system, or sources that ./run has unpacked under build/sources, or
# the network (pinned by their hash), in this order.
#
# WebAssembly and other processors cannot link this system's binaries, so simdjson and Catch2 are built from source for
# them; simdjson everywhere where its sources are, so that the command line can be linked statically. WebAssembly's
# compiler must not look into /usr/include either, so each header-only library is linked into an include folder of its
# own.

include(FetchContent)
foreach(library simdjson catch2)
  if((CMAKE_CROSSCOMPILING OR library STREQUAL "simdjson") AND
     EXISTS "${PROJECT_SOURCE_DIR}/build/sources/${library}")
    string(TOUPPER ${library} upper)
    set(FETCHCONTENT_SOURCE_DIR_${upper} "${PROJECT_SOURCE_DIR}/build/sources/${library}")
  endif()
endforeach()

# octet_headers(<library> <header> URL <url> HASH <sha256>): octet::<library> gives the folder of <header>, alone.
function(octet_headers library header)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "URL;HASH" "")
  find_path(OCTET_${library}_INCLUDE ${header} PATHS /usr/include NO_CMAKE_FIND_ROOT_PATH)
  if(NOT OCTET_${library}_INCLUDE)
    FetchContent_Declare(${library} URL "${arg_URL}" URL_HASH SHA256=${arg_HASH} SOURCE_SUBDIR none)
    FetchContent_MakeAvailable(${library})
    set(OCTET_${library}_INCLUDE "${${library}_SOURCE_DIR}/include" CACHE PATH "" FORCE)
  endif()
  get_filename_component(folder ${header} DIRECTORY)
  set(include "${PROJECT_BINARY_DIR}/include/${library}")
  file(MAKE_DIRECTORY "${include}")
  file(CREATE_LINK "${OCTET_${library}_INCLUDE}/${folder}" "${include}/${folder}" SYMBOLIC)
  add_library(octet_${library} INTERFACE)
  target_include_directories(octet_${library} SYSTEM INTERFACE "$<BUILD_INTERFACE:${include}>")
  add_library(octet::${library} ALIAS octet_${library})
endfunction()

octet_headers(xtl xtl/xtl_config.hpp
  URL https://github.com/xtensor-stack/xtl/archive/0.7.7.tar.gz
  HASH 44fb99fbf5e56af5c43619fc8c29aa58e5fad18f3ba6e7d9c55c111b62df1fbb)
octet_headers(xtensor_headers xtensor/xtensor_config.hpp
  URL https://github.com/xtensor-stack/xtensor/archive/0.25.0.tar.gz
  HASH 32d5d9fd23998c57e746c375a544edf544b74f0a18ad6bc3c38cbba968d5e6c7)
target_link_libraries(octet_xtensor_headers INTERFACE octet_xtl)

FetchContent_Declare(simdjson
  URL https://github.com/simdjson/simdjson/archive/v3.0.1.tar.gz
  URL_HASH SHA256=156b1bc5eb0561b2bd166b46d191fd3d95a3e709cc63761477d3b7aec2b6e9ed
  SOURCE_SUBDIR none
  FIND_PACKAGE_ARGS)  # no version: simdjson's package accepts only its own minor one
FetchContent_MakeAvailable(simdjson)
if(simdjson_SOURCE_DIR)
  add_library(octet_simdjson STATIC "${simdjson_SOURCE_DIR}/singleheader/simdjson.cpp")
  set_target_properties(octet_simdjson PROPERTIES CXX_SCAN_FOR_MODULES OFF)
  if(NOT PROJECT_IS_TOP_LEVEL)  # built with the rooms that link it
    set_target_properties(octet_simdjson PROPERTIES EXCLUDE_FROM_ALL TRUE)
  endif()
  target_compile_features(octet_simdjson PUBLIC cxx_std_20)
  target_compile_options(octet_simdjson PRIVATE "-Wno-#pragma-messages")
  target_include_directories(octet_simdjson SYSTEM PUBLIC "$<BUILD_INTERFACE:${simdjson_SOURCE_DIR}/singleheader>")
  add_library(octet::simdjson ALIAS octet_simdjson)
else()
  add_library(octet_simdjson INTERFACE)
  target_link_libraries(octet_simdjson INTERFACE simdjson::simdjson)
  add_library(octet::simdjson ALIAS octet_simdjson)
endif()

find_package(Threads REQUIRED)

if(OCTET_BUILD_DEMOS)
  octet_headers(cli11 CLI/CLI.hpp
    URL https://github.com/CLIUtils/CLI11/archive/refs/tags/v2.4.1.tar.gz
    HASH 73b7ec52261ce8fe980a29df6b4ceb66243bb0b779451dbd3d014cfec9fdbb58)
endif()

if(OCTET_BUILD_TESTS)
  FetchContent_Declare(catch2
    URL https://github.com/catchorg/Catch2/archive/v3.7.1.tar.gz
    URL_HASH SHA256=c991b247a1a0d7bb9c39aa35faf0fe9e19764213f28ffba3109388e62ee0269c
    FIND_PACKAGE_ARGS 3.4 NAMES Catch2)
  FetchContent_MakeAvailable(catch2)
  if(catch2_SOURCE_DIR)
    set_target_properties(Catch2 PROPERTIES UNITY_BUILD ON CXX_SCAN_FOR_MODULES OFF)
    target_compile_features(Catch2 PUBLIC cxx_std_20)  # the tests' standard: it prints std::string_view since C++17
    list(APPEND CMAKE_MODULE_PATH "${catch2_SOURCE_DIR}/extras")
  endif()
endif()
