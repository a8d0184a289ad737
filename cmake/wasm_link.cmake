# How WebAssembly programs are linked: octet_node and octet_web are what a program for node or for the page links with.
if(NOT EMSCRIPTEN)
  return()
endif()

add_library(octet_wasm INTERFACE)
target_link_options(octet_wasm INTERFACE -sALLOW_MEMORY_GROWTH=1 -sSTACK_SIZE=1MB -sDEFAULT_PTHREAD_STACK_SIZE=1MB)

# For node: the real file system, and main in a worker so that it may start threads and wait for them.
add_library(octet_node INTERFACE)
target_link_libraries(octet_node INTERFACE octet_wasm)
target_link_options(octet_node INTERFACE
                    -sMAXIMUM_MEMORY=4GB -sENVIRONMENT=node,worker -sNODERAWFS=1 -sEXIT_RUNTIME=1)

# For the page: a module that a worker imports.
add_library(octet_web INTERFACE)
target_link_libraries(octet_web INTERFACE octet_wasm)
target_link_options(octet_web INTERFACE --bind -sMAXIMUM_MEMORY=2GB -sENVIRONMENT=web,worker -sMODULARIZE=1
                    -sEXPORT_ES6=1 -sFILESYSTEM=0)

if(OCTET_WASM_THREADS)
  target_link_options(octet_node INTERFACE -sPROXY_TO_PTHREAD=1)
  target_link_options(octet_web INTERFACE "-sPTHREAD_POOL_SIZE=Math.min(8,navigator.hardwareConcurrency)")

  # Emscripten before 5.0.5 ends a call that a thread had the main thread do by unlocking a mutex and then signalling a
  # condition variable; both lie on the caller's stack, and the caller may be gone in between (its pull request 26582).
  # The next call then waits for ever, about once in 1,000 runs of a program here. This is its own file with the two
  # lines in order, found before the one in its C library.
  set(folder "${EMSCRIPTEN_ROOT_PATH}/system/lib")
  file(READ "${folder}/pthread/proxying.c" source)
  string(REGEX REPLACE "(pthread_mutex_unlock\\(&ctx->sync\\.mutex\\);)(\n *)(pthread_cond_signal\\(&ctx->sync\\.cond\\);)"
         "\\3\\2\\1" mended "${source}")
  if(NOT mended STREQUAL source)
    enable_language(C)
    file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/proxying.c" CONTENT "${mended}" @ONLY)
    add_library(octet_proxying STATIC "${PROJECT_BINARY_DIR}/proxying.c")
    set_target_properties(octet_proxying PROPERTIES C_STANDARD 17)
    target_include_directories(octet_proxying PRIVATE
                               "${folder}/libc/musl/src/internal" "${folder}/libc/musl/src/include" "${folder}/pthread"
                               "${folder}/libc/musl/arch/emscripten")
    target_compile_options(octet_proxying PRIVATE -pthread -DNDEBUG)
    target_link_libraries(octet_wasm INTERFACE octet_proxying)
  endif()
endif()
