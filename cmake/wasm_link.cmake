# How WebAssembly programs are linked: a program links with octet_node, octet_in_browser,
# octet_threaded_page or octet_single_page.
if(NOT EMSCRIPTEN)
  return()
endif()

add_library(octet_wasm INTERFACE)
target_link_options(octet_wasm INTERFACE -sALLOW_MEMORY_GROWTH=1 -sSTACK_SIZE=1MB -sDEFAULT_PTHREAD_STACK_SIZE=1MB)
add_library(octet_threads INTERFACE)

# For node: the real file system, and main in a worker so that it may start threads and wait for them.
add_library(octet_node INTERFACE)
target_link_libraries(octet_node INTERFACE octet_wasm octet_threads)
target_link_options(octet_node INTERFACE -sMAXIMUM_MEMORY=4GB -sENVIRONMENT=node,worker -sNODERAWFS=1 -sEXIT_RUNTIME=1
                    -sPROXY_TO_PTHREAD=1)
# Emscripten ends a program by an exception, which is not always caught: where the main thread comes to the call of exit()
# while it waits for a lock, as it does for what a thread leaves behind, it goes up to node, which then ends with status 1
# whatever the program's was: three of a hundred runs under load. This catches it there. (What is thrown for another
# reason still ends the program, with status 7.)
target_link_options(octet_node INTERFACE -sNODEJS_CATCH_EXIT=1)

# The same for a browser, as a module that a page imports: the file system is memory.
add_library(octet_in_browser INTERFACE)
target_link_libraries(octet_in_browser INTERFACE octet_wasm octet_threads)
target_link_options(octet_in_browser INTERFACE -sMAXIMUM_MEMORY=4GB -sENVIRONMENT=web,worker -sMODULARIZE=1
                    -sEXPORT_ES6=1 -sEXIT_RUNTIME=1 -sPROXY_TO_PTHREAD=1)

# For the page: a module that a worker imports, and the script's half of web/bindings/values.hpp.
set(OCTET_PAGE_VALUES "${PROJECT_SOURCE_DIR}/web/bindings/values.js")
foreach(page threaded_page single_page)
  add_library(octet_${page} INTERFACE)
  target_link_libraries(octet_${page} INTERFACE octet_wasm)
  target_link_options(octet_${page} INTERFACE --js-library "${OCTET_PAGE_VALUES}" -sWASM_BIGINT=1 -sMAXIMUM_MEMORY=2GB
                      -sENVIRONMENT=web,worker -sMODULARIZE=1 -sEXPORT_ES6=1 -sFILESYSTEM=0 -Os)
endforeach()
target_link_libraries(octet_threaded_page INTERFACE octet_threads)
# The worker itself is one of its threads; a loop goes on without those that are not there yet.
target_link_options(octet_threaded_page INTERFACE "-sPTHREAD_POOL_SIZE=Math.min(8,navigator.hardwareConcurrency)-1"
                    -sPTHREAD_POOL_DELAY_LOAD=1)
target_link_options(octet_single_page INTERFACE -no-pthread)

# Emscripten before 5.0.5 ends a call that a thread had the main thread do by unlocking a mutex and then signalling a
# condition variable; both lie on the caller's stack, and the caller may be gone in between (its pull request 26582).
# Then a later call waits for ever: two of 110 runs of a test under load. This is Emscripten's own file with the two
# lines in order, which the linker finds before the one in the C library.
set(folder "${EMSCRIPTEN_ROOT_PATH}/system/lib")
file(READ "${folder}/pthread/proxying.c" source)
string(REGEX REPLACE "(pthread_mutex_unlock\\(&ctx->sync\\.mutex\\);)(\n *)(pthread_cond_signal\\(&ctx->sync\\.cond\\);)"
       "\\3\\2\\1" mended "${source}")
if(NOT mended STREQUAL source)
  enable_language(C)
  file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/proxying.c" CONTENT "${mended}" @ONLY)
  add_library(octet_proxying STATIC "${PROJECT_BINARY_DIR}/proxying.c")
  target_include_directories(octet_proxying PRIVATE
                             "${folder}/libc/musl/src/internal" "${folder}/libc/musl/src/include" "${folder}/pthread"
                             "${folder}/libc/musl/arch/emscripten")
  target_compile_options(octet_proxying PRIVATE -pthread -DNDEBUG)
  target_link_libraries(octet_threads INTERFACE octet_proxying)
endif()
