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

# The scanner does not ask em++ for its target and headers, so they are spelled out. libc++ has two std::function: the one of
# its stable ABI makes a pair of tuples for each lambda that becomes one, which takes Clang a tenth of a second.
set(CMAKE_CXX_FLAGS_INIT
    "--target=wasm32-unknown-emscripten --sysroot=${emscripten_cache}/sysroot -msimd128 -fwasm-exceptions -pthread \
-D_LIBCPP_ABI_OPTIMIZED_FUNCTION")

# em++ is a script that starts a Python to find a file's flags, which takes as long as compiling a small file. They are the
# same for all: compiling asks it once and goes to its Clang, where that is found; linking stays with it.
execute_process(COMMAND em-config LLVM_ROOT OUTPUT_VARIABLE llvm_root OUTPUT_STRIP_TRAILING_WHITESPACE)
execute_process(COMMAND em-config CLANG_ADD_VERSION OUTPUT_VARIABLE clang_version OUTPUT_STRIP_TRAILING_WHITESPACE
                ERROR_QUIET)
execute_process(COMMAND "${emscripten_root}/em++" --cflags -fwasm-exceptions -pthread OUTPUT_VARIABLE emscripten_flags
                OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE cflags_failed)
find_program(OCTET_EMSCRIPTEN_CLANG NO_CACHE NAMES "clang++-${clang_version}" clang++ PATHS "${llvm_root}" NO_DEFAULT_PATH
             NO_CMAKE_FIND_ROOT_PATH)
if(OCTET_EMSCRIPTEN_CLANG AND NOT cflags_failed)
  set(CMAKE_CXX_COMPILE_OBJECT
      "${OCTET_EMSCRIPTEN_CLANG} ${emscripten_flags} <DEFINES> <INCLUDES> <FLAGS> -o <OBJECT> -c <SOURCE>")
endif()

# -O1, the last of the flags: linked so, tests are there soon. Their objects are compiled at -O3 all the same.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-O1 -Wno-version-check -Wno-pthreads-mem-growth")

# ./run unpacks a Binaryen of Emscripten's age here where the system's is older.
get_filename_component(binaryen "${CMAKE_CURRENT_LIST_DIR}/../build/binaryen" ABSOLUTE)
if(EXISTS "${binaryen}/bin")
  set(CMAKE_CXX_LINKER_LAUNCHER "${CMAKE_COMMAND};-E;env;EM_BINARYEN_ROOT=${binaryen}")
endif()
