# octet_page_split(<target> <profiled> <program>...)
#
# A visitor waits for every byte of the page's program, and half of its functions are those that hardly a visit calls: rules,
# derivatives and kernels of operations that no BERT has, messages about faults that a page cannot make. Binaryen's wasm-split
# puts them into a second file, which the first one loads when one of them is called (web/bindings/rest.js).
#
# The programs are linked in whole/; <target> makes <program>.mjs, <program>.wasm and <program>.rest.wasm of them. What a visit
# calls is found anew by each build: <profiled>, a program without threads, makes one under node (page_profile.mjs).
#
# The texts of the catalogue of messages go with them (page_texts.mjs), and what ties the two files together is made small
# (page_calls.mjs). A text stays where any number of the program could be its address: so data begin where hardly another
# number is, below 2^20, from where on numbers take a byte more (-sGLOBAL_BASE): 1.7 KB less to wait for, compressed.
#
# Functions are split before they are inlined: what is rarely called would else be within what always is.

execute_process(COMMAND em-config BINARYEN_ROOT OUTPUT_VARIABLE binaryen_root OUTPUT_STRIP_TRAILING_WHITESPACE)
set(binaryen_places "${PROJECT_SOURCE_DIR}/build/binaryen/bin" "${binaryen_root}/bin")
find_program(OCTET_WASM_SPLIT wasm-split HINTS ${binaryen_places} NO_CMAKE_FIND_ROOT_PATH)
find_program(OCTET_WASM_OPT wasm-opt HINTS ${binaryen_places} NO_CMAKE_FIND_ROOT_PATH)
find_program(OCTET_WASM_DIS wasm-dis HINTS ${binaryen_places} NO_CMAKE_FIND_ROOT_PATH)
find_program(OCTET_WASM_AS wasm-as HINTS ${binaryen_places} NO_CMAKE_FIND_ROOT_PATH)

function(octet_page_split target profiled)
  if(NOT OCTET_WASM_SPLIT OR NOT OCTET_WASM_OPT OR NOT OCTET_WASM_DIS OR NOT OCTET_WASM_AS)
    add_custom_target(${target} COMMAND "${CMAKE_COMMAND}" -E echo "The page is built with Binaryen's wasm-split, wasm-opt, wasm-dis and wasm-as."
                      COMMAND "${CMAKE_COMMAND}" -E false)
    return()
  endif()
  set(features --enable-bulk-memory --enable-exception-handling --enable-multivalue --enable-mutable-globals
      --enable-reference-types --enable-relaxed-simd --enable-sign-ext --enable-simd --enable-threads)
  set(small -Oz --one-caller-inline-max-function-size=20 --low-memory-unused --strip-debug --reorder-locals)
  set(whole "${PROJECT_BINARY_DIR}/whole")
  set(rest "${whole}/rest.txt")
  set(script "${PROJECT_SOURCE_DIR}/cmake/page_profile.mjs")
  set(loader "${PROJECT_SOURCE_DIR}/web/bindings/rest.js")
  set(texts "${PROJECT_SOURCE_DIR}/web/public/texts")
  file(GLOB each_text CONFIGURE_DEPENDS "${texts}/*.txt")
  set(calls "${PROJECT_SOURCE_DIR}/cmake/page_calls.mjs")
  set(names "${PROJECT_SOURCE_DIR}/cmake/page_names.mjs")
  set(messages "${PROJECT_SOURCE_DIR}/cmake/page_texts.mjs")
  set(seal "${PROJECT_SOURCE_DIR}/cmake/page_seal.mjs")

  add_custom_command(OUTPUT "${rest}"
    COMMAND "${OCTET_WASM_SPLIT}" ${features} --instrument ${profiled}.wasm -o instrumented.wasm
    COMMAND ${CMAKE_CROSSCOMPILING_EMULATOR} "${script}"
            "${OCTET_WASM_SPLIT}" ${profiled}.mjs instrumented.wasm "${texts}" "${rest}" -- ${features}
    DEPENDS ${profiled} "${script}" ${each_text} WORKING_DIRECTORY "${whole}" VERBATIM
    COMMENT "Visiting the page to see what it calls")

  set(made)
  foreach(program ${ARGN})
    set_target_properties(${program} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${whole}" LINK_DEPENDS
                          "${loader};${OCTET_PAGE_VALUES}")
    target_link_options(${program} PRIVATE --pre-js "${loader}" --profiling-funcs -Wl,--no-demangle
                        -sINCOMING_MODULE_JS_API=instantiateWasm,printErr -sTEXTDECODER=2 -sGLOBAL_BASE=720000
                        -sBINARYEN_EXTRA_PASSES=--one-caller-inline-max-function-size=1)
    set(out "${PROJECT_BINARY_DIR}/${program}")
    add_custom_command(OUTPUT "${out}.mjs" "${out}.wasm" "${out}.rest.wasm"
      COMMAND "${OCTET_WASM_SPLIT}" ${features} --quiet --no-placeholders --export-prefix=rest.
              --split ${program}.wasm "--split-funcs=@${rest}" -o1 ${program}.first.wasm -o2 ${program}.rest.wasm
      COMMAND ${CMAKE_CROSSCOMPILING_EMULATOR} "${calls}" "${OCTET_WASM_DIS}" "${OCTET_WASM_AS}"
              ${program}.first.wasm ${program}.rest.wasm -- ${features}
      COMMAND "${OCTET_WASM_OPT}" ${features} ${small} ${program}.first.wasm -o "${out}.wasm"
      COMMAND "${OCTET_WASM_OPT}" ${features} ${small} ${program}.rest.wasm -o "${out}.rest.wasm"
      COMMAND ${CMAKE_CROSSCOMPILING_EMULATOR} "${names}" "${out}.wasm"
      COMMAND ${CMAKE_CROSSCOMPILING_EMULATOR} "${messages}" "${OCTET_WASM_DIS}" "${out}.wasm" "${out}.rest.wasm" -- ${features}
      COMMAND ${CMAKE_CROSSCOMPILING_EMULATOR} "${seal}" ${program}.mjs "${out}.rest.wasm" "${out}.mjs"
      DEPENDS ${program} "${rest}" "${calls}" "${names}" "${messages}" "${seal}" WORKING_DIRECTORY "${whole}" VERBATIM COMMENT "Splitting ${program}")
    list(APPEND made "${out}.mjs" "${out}.wasm" "${out}.rest.wasm")
  endforeach()
  add_custom_target(${target} DEPENDS ${made})
endfunction()
