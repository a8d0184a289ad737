# octet_module(<room> [DEPENDS <room>...] [LIBRARIES <target>...] [SMALL | SMALL_SOURCES] [KERNELS <glob>...])
#
# Declares the room modules/<room> as the library octet_<room>, known as octet::<room>: its *.cppm files are
# the module's interface, its *.cpp files the implementation. LIBRARIES are seen by this room only.
# A room whose primary file <room>.cppm does not exist is left out, and so is what is above it.
#
# A page loads every byte of WebAssembly: there SMALL rooms are compiled for size, but for their KERNELS, which run for
# every number. Those do without unrolled loops, which are the half of their code and no faster in an engine. Of rooms with
# SMALL_SOURCES the *.cpp files are: what is inline in their interface runs within the kernels of others.
#
# octet_umbrella(<room>...) declares octet::octet, the module that re-exports the rooms.

add_library(octet_options INTERFACE)
# Contraction is off because a run must give the same bits everywhere.
target_compile_options(octet_options INTERFACE -ffp-contract=off -Wall -Wextra -Wpedantic)

# Where Octet's own sources are named as places, they are so from the project's folder on: what is built is the same, and a
# page's program of the same size, wherever that folder lies.
set(octet_place_options "-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=")

# Declares <library> with this module interface over these rooms, unless the interface or a room is missing.
function(octet_library library)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "PRIMARY" "INTERFACE;DEPENDS")
  list(TRANSFORM arg_DEPENDS PREPEND octet_)
  if(TARGET octet_standard)  # named by each room: an installed one finds the modules of what it links itself, no others
    list(APPEND arg_DEPENDS octet_standard)
    list(REMOVE_DUPLICATES arg_DEPENDS)
  endif()
  foreach(below ${arg_DEPENDS})
    if(NOT TARGET ${below})
      return()
    endif()
  endforeach()
  if(NOT arg_PRIMARY IN_LIST arg_INTERFACE)
    return()
  endif()
  add_library(${library} STATIC)
  set_property(GLOBAL APPEND PROPERTY OCTET_LIBRARIES ${library})
  if(NOT PROJECT_IS_TOP_LEVEL)  # another project builds the rooms that it links
    set_target_properties(${library} PROPERTIES EXCLUDE_FROM_ALL TRUE)
  endif()
  target_sources(${library}
    PUBLIC FILE_SET CXX_MODULES BASE_DIRS "${PROJECT_SOURCE_DIR}/modules" FILES ${arg_INTERFACE})
  target_compile_features(${library} PUBLIC cxx_std_20)
  target_link_libraries(${library} PUBLIC ${arg_DEPENDS} PRIVATE octet_options)
  target_compile_options(${library} PRIVATE ${octet_place_options})
endfunction()

function(octet_module room)
  cmake_parse_arguments(PARSE_ARGV 1 arg "SMALL;SMALL_SOURCES" "" "DEPENDS;LIBRARIES;KERNELS")
  set(folder "${PROJECT_SOURCE_DIR}/modules/${room}")
  file(GLOB interface CONFIGURE_DEPENDS "${folder}/*.cppm")
  file(GLOB implementation CONFIGURE_DEPENDS "${folder}/*.cpp")
  octet_library(octet_${room} PRIMARY "${folder}/${room}.cppm" INTERFACE ${interface} DEPENDS ${arg_DEPENDS})
  if(TARGET octet_${room})
    add_library(octet::${room} ALIAS octet_${room})
    target_sources(octet_${room} PRIVATE ${implementation})
    target_link_libraries(octet_${room} PRIVATE ${arg_LIBRARIES})
    if(EMSCRIPTEN AND arg_SMALL_SOURCES)
      # A target may compile some of them again as it likes.
      set_source_files_properties(${implementation} PROPERTIES
                                  COMPILE_OPTIONS "$<$<NOT:$<BOOL:$<TARGET_PROPERTY:OCTET_QUICK>>>:-Oz>")
    endif()
    if(EMSCRIPTEN AND arg_SMALL)
      target_compile_options(octet_${room} PRIVATE -Oz)
    endif()
    if(EMSCRIPTEN)
      foreach(kernels ${arg_KERNELS})
        file(GLOB kernels CONFIGURE_DEPENDS "${folder}/${kernels}")
        set_source_files_properties(${kernels} PROPERTIES COMPILE_OPTIONS "-O3;-fno-unroll-loops")
      endforeach()
    endif()
  endif()
endfunction()

function(octet_umbrella)
  set(primary "${PROJECT_SOURCE_DIR}/modules/octet.cppm")
  file(GLOB interface CONFIGURE_DEPENDS "${primary}")
  octet_library(octet PRIMARY "${primary}" INTERFACE ${interface} DEPENDS ${ARGN})
  if(TARGET octet)
    add_library(octet::octet ALIAS octet)
  endif()
endfunction()
