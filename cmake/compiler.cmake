# Finds a compiler that can build named modules, before project() would settle for one that cannot,
# and refuses the others with one line.

set(OCTET_COMPILERS "clang++ 18 or newer, or em++ 3.1.60 or newer")

function(octet_choose_compiler)
  if(CMAKE_TOOLCHAIN_FILE OR CMAKE_CXX_COMPILER OR DEFINED ENV{CXX})
    return()
  endif()
  find_program(CMAKE_CXX_COMPILER NAMES clang++-19 clang++-20 clang++-21 clang++-18 clang++
               DOC "A compiler that can build named modules")
endfunction()

function(octet_check_compiler)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang" OR CMAKE_CXX_COMPILER_VERSION VERSION_LESS 18)
    message(FATAL_ERROR
      "Octet needs a compiler that scans for modules: ${OCTET_COMPILERS}; this one is "
      "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}. "
      "Name one with -DCMAKE_CXX_COMPILER=clang++-19.")
  endif()
  if(NOT CMAKE_CXX_COMPILER_CLANG_SCAN_DEPS)
    message(FATAL_ERROR
      "Octet needs clang-scan-deps beside the compiler (Debian: clang-tools-19); "
      "name it with -DCMAKE_CXX_COMPILER_CLANG_SCAN_DEPS=PATH.")
  endif()
  if(NOT CMAKE_GENERATOR MATCHES "Ninja")
    message(FATAL_ERROR "Octet needs CMake's Ninja generator (-G Ninja): ${CMAKE_GENERATOR} does not order modules.")
  endif()
endfunction()
