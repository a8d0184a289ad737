# The programs: the octet command line, natively and for node, and the page's bindings, with and without threads.

include(CheckCXXSourceCompiles)
include(CheckCXXSourceRuns)

function(octet_program target)
  add_executable(${target} ${ARGN})
  target_link_libraries(${target} PRIVATE octet::octet octet_options Threads::Threads)
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
endfunction()

# Where all that the program is linked with can be: shared libraries are 2 MB of memory, as much as a vocabulary of a
# small text takes, and longer in starting than `octet --help` is in running. Where the C library knows them packed, the
# places that loading changes are listed in 3 KB instead of 312.
function(octet_link_statically target)
  if(simdjson_FOUND OR CMAKE_CXX_FLAGS MATCHES "-fsanitize" OR NOT CMAKE_SYSTEM_NAME STREQUAL "Linux")
    return()
  endif()
  set(CMAKE_REQUIRED_LINK_OPTIONS -static-pie)
  check_cxx_source_compiles("#include <iostream>
    int main() { std::cout << 1; }" OCTET_LINKS_STATICALLY)
  if(OCTET_LINKS_STATICALLY)
    target_link_options(${target} PRIVATE -static-pie)
    if(NOT CMAKE_CROSSCOMPILING)
      set(CMAKE_REQUIRED_LINK_OPTIONS -static-pie "LINKER:-z,pack-relative-relocs")
      check_cxx_source_runs("#include <iostream>
        int main() { std::cout << 1; }" OCTET_PACKS_RELOCATIONS)
      if(OCTET_PACKS_RELOCATIONS)
        target_link_options(${target} PRIVATE "LINKER:-z,pack-relative-relocs")
      endif()
    endif()
  endif()
endfunction()

# CLI11 takes as long to read as all else of a subcommand.
add_library(octet_cli11_module STATIC)
target_sources(octet_cli11_module PUBLIC
  FILE_SET CXX_MODULES BASE_DIRS "${PROJECT_SOURCE_DIR}/demos" FILES "${PROJECT_SOURCE_DIR}/demos/octet/cli11.cppm")
target_compile_features(octet_cli11_module PUBLIC cxx_std_20)
target_link_libraries(octet_cli11_module PUBLIC octet::cli11)

file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/demos/octet/*.cpp")
if(sources AND TARGET octet::octet)
  # First what reads the command line, for all subcommands: its parts lie together then, on few pages of memory.
  list(PREPEND sources "${PROJECT_SOURCE_DIR}/demos/octet/main.cpp" "${PROJECT_SOURCE_DIR}/demos/octet/command.cpp")
  list(REMOVE_DUPLICATES sources)
  octet_program(octet_demo ${sources})
  target_link_libraries(octet_demo PRIVATE octet_cli11_module octet::pages)
  target_compile_definitions(octet_demo PRIVATE OCTET_VERSION="${PROJECT_VERSION}")
  # Reading options takes no time worth half of each file's compiling; what is measured is compiled as a user's program would be,
  # and what is to be debugged or small stays so.
  list(FILTER sources EXCLUDE REGEX "/bench[^/]*$")
  set_source_files_properties(${sources} PROPERTIES COMPILE_OPTIONS "$<$<CONFIG:Release,RelWithDebInfo>:-O1>")
  set_target_properties(octet_demo PROPERTIES OUTPUT_NAME octet)
  if(EMSCRIPTEN)
    target_link_libraries(octet_demo PRIVATE octet_node)
  else()
    octet_link_statically(octet_demo)
  endif()
endif()

# What is linked first takes the place of what a library has: these copies of the inner loops use relaxed SIMD.
if(EMSCRIPTEN AND TARGET octet::compile)
  set(folder "${PROJECT_SOURCE_DIR}/modules/compile")
  add_library(octet_relaxed OBJECT "${folder}/cpu.cpp" "${folder}/gemm_tile.cpp")
  target_link_libraries(octet_relaxed PRIVATE octet::compile octet_options)
  target_compile_definitions(octet_relaxed PRIVATE OCTET_RELAXED_SIMD)
endif()

# So do these: the engine encodes a text once and has the encoders small, the workshop encodes what visitors bring.
if(EMSCRIPTEN AND TARGET octet::data)
  set(sources data/corpus text/bpe_encoder text/gpt2_words text/normalize text/special_names text/text_parts text/utf8
              text/word_cache text/wordpiece text/wordpiece_encoder text/words)
  list(TRANSFORM sources REPLACE "(.+)" "${PROJECT_SOURCE_DIR}/modules/\\1.cpp")
  add_library(octet_quick_text OBJECT ${sources})
  target_link_libraries(octet_quick_text PRIVATE octet::data octet::text octet_options)
  set_target_properties(octet_quick_text PROPERTIES OCTET_QUICK ON)
endif()

# For measuring: node --experimental-wasm-relaxed-simd octet_relaxed.js bench, and, in Chromium, ./run bench page.
if(EMSCRIPTEN AND TARGET octet_demo)
  octet_program(octet_demo_relaxed EXCLUDE_FROM_ALL $<TARGET_OBJECTS:octet_demo> $<TARGET_OBJECTS:octet_relaxed>)
  target_link_libraries(octet_demo_relaxed PRIVATE octet_cli11_module octet::pages octet_node)
  set_target_properties(octet_demo_relaxed PROPERTIES OUTPUT_NAME octet_relaxed)
  foreach(loops "" _relaxed)
    octet_program(octet_browser${loops} EXCLUDE_FROM_ALL $<TARGET_OBJECTS:octet_demo>)
    if(loops)
      target_sources(octet_browser${loops} PRIVATE $<TARGET_OBJECTS:octet_relaxed>)
    endif()
    target_link_libraries(octet_browser${loops} PRIVATE octet_cli11_module octet::pages octet_in_browser)
    set_target_properties(octet_browser${loops} PROPERTIES SUFFIX .mjs)
  endforeach()
  add_custom_target(octet_page_bench DEPENDS octet_browser octet_browser_relaxed)
endif()

# The page's programs are linked from the same objects: with threads, which only a page that is cross-origin isolated has,
# or without, and with relaxed SIMD, which not every browser has, or without. Then each is split in two.
file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/web/bindings/*.cpp")
if(EMSCRIPTEN AND sources AND TARGET octet::octet)
  include(page_split)
  add_library(octet_bindings OBJECT ${sources})
  target_link_libraries(octet_bindings PRIVATE octet::octet octet_options)
  target_compile_options(octet_bindings PRIVATE -Oz ${octet_place_options})

  set(programs)
  foreach(threads "" _single)
    foreach(loops "" _relaxed)
      set(program octet_web${loops}${threads})
      octet_program(${program} $<TARGET_OBJECTS:octet_bindings>)
      if(loops)
        target_sources(${program} PRIVATE $<TARGET_OBJECTS:octet_relaxed>)
      endif()
      target_link_libraries(${program} PRIVATE $<IF:$<BOOL:${threads}>,octet_single_page,octet_threaded_page>)
      set_target_properties(${program} PROPERTIES SUFFIX .mjs)
      list(APPEND programs ${program})
    endforeach()
  endforeach()
  octet_page_split(octet_page octet_web_relaxed_single ${programs})

  # What the sections below the training part call: one file each, one program, loaded when a visitor comes there.
  file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/web/bindings/workshop/*.cpp")
  octet_program(octet_workshop ${sources} $<TARGET_OBJECTS:octet_quick_text>)
  target_include_directories(octet_workshop PRIVATE "${PROJECT_SOURCE_DIR}/web/bindings")
  target_link_libraries(octet_workshop PRIVATE octet::script octet_single_page)
  set_target_properties(octet_workshop PROPERTIES SUFFIX .mjs)
  add_dependencies(octet_page octet_workshop)
endif()
