# cmake -D "SOURCES=<file>;..." -D OUTPUT=<file> -P merge.cmake
#
# Writes the sources as one: first what any of them includes and imports, then each in a namespace of its own, since each has
# names that another has, too. Its lines keep their places.
cmake_minimum_required(VERSION 3.28)
foreach(source ${SOURCES})
  file(READ "${source}" text)
  string(REGEX MATCHALL "\n#include <[^\n]*" headers_here "\n${text}")
  string(REGEX MATCHALL "\nimport [^;]*" imports_here "\n${text}")
  string(REGEX MATCHALL "\n#include \"[^\n]*" own_headers_here "\n${text}")
  foreach(list headers imports own_headers)
    list(APPEND ${list} ${${list}_here})
    list(REMOVE_DUPLICATES ${list})
  endforeach()
  get_filename_component(name "${source}" NAME_WE)
  string(REGEX REPLACE "\n(#include|import) [^\n]*" "\n" text "\n${text}")
  string(APPEND units "\nnamespace unit_${name} {\n#line 1 \"${source}\"${text}}")
endforeach()
list(JOIN headers "" headers)
list(JOIN own_headers "" own_headers)
file(WRITE "${OUTPUT}" "${headers}${imports};${own_headers}${units}\n")
