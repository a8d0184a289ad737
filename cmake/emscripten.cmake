# The toolchain file of the WebAssembly build: Emscripten's own, found, with what scanning for modules
# and Octet's programs need added: SIMD, WebAssembly's exceptions and, unless OCTET_WASM_THREADS is off, threads.

if(DEFINED ENV{EMSDK} AND EXISTS "$ENV{EMSDK}/upstream/emscripten")
  set(ENV{PATH} "$ENV{EMSDK}/upstream/emscripten:$ENV{PATH}")
endif()
execute_process(COMMAND em-config EMSCRIPTEN_ROOT OUTPUT_VARIABLE emscripten_root
                OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE em_config_failed)
if(em_config_failed)
  message(FATAL_ERROR "The WebAssembly build needs Emscripten 3.1.60 or newer: no em-config in PATH or $EMSDK.")
endif()
execute_process(COMMAND em-config CACHE OUTPUT_VARIABLE emscripten_cache
                OUTPUT_STRIP_TRAILING_WHITESPACE)
include("${emscripten_root}/cmake/Modules/Platform/Emscripten.cmake")

if(EXISTS "${emscripten_root}/emscan-deps")
  set(CMAKE_CXX_COMPILER_CLANG_SCAN_DEPS "${emscripten_root}/emscan-deps")
else()
  find_program(CMAKE_CXX_COMPILER_CLANG_SCAN_DEPS NAMES clang-scan-deps-19 clang-scan-deps
               NO_CMAKE_FIND_ROOT_PATH)
endif()

# The scanner does not ask em++ for its target and headers, so they are spelled out.
set(CMAKE_CXX_FLAGS_INIT
    "--target=wasm32-unknown-emscripten --sysroot=${emscripten_cache}/sysroot -msimd128 -fwasm-exceptions -pthread")
# -O1, the last of the flags: linked so, tests are there soon. Their objects are compiled at -O3 all the same.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-O1 -Wno-version-check -Wno-pthreads-mem-growth")

# ./run unpacks a Binaryen of Emscripten's age here where the system's is older.
get_filename_component(binaryen "${CMAKE_CURRENT_LIST_DIR}/../build/binaryen" ABSOLUTE)
if(EXISTS "${binaryen}/bin")
  set(CMAKE_CXX_LINKER_LAUNCHER "${CMAKE_COMMAND};-E;env;EM_BINARYEN_ROOT=${binaryen}")
endif()
