# How WebAssembly programs are linked.

set(octet_memory_link -sALLOW_MEMORY_GROWTH=1 -sSTACK_SIZE=1MB -sDEFAULT_PTHREAD_STACK_SIZE=1MB)

# For node: the real file system, and main in a worker so that it may start threads and wait for them.
set(octet_node_link ${octet_memory_link} -sMAXIMUM_MEMORY=4GB -sENVIRONMENT=node,worker -sNODERAWFS=1 -sEXIT_RUNTIME=1)
if(OCTET_WASM_THREADS)
  list(APPEND octet_node_link -sPROXY_TO_PTHREAD=1)
endif()

# For the page: a module that a worker imports.
set(octet_web_link ${octet_memory_link} --bind -sMAXIMUM_MEMORY=2GB -sENVIRONMENT=web,worker -sMODULARIZE=1
    -sEXPORT_ES6=1 -sFILESYSTEM=0)
if(OCTET_WASM_THREADS)
  list(APPEND octet_web_link "-sPTHREAD_POOL_SIZE=Math.min(8,navigator.hardwareConcurrency)")
endif()
