# octet_unicode_tables(<target>)
#
# Gives <target> the header unicode_tables.inc, written at build time from the Unicode Character Database: this system's copy
# (Debian: unicode-data), or a download pinned by hash. The database may be newer than the version named here: characters that
# came later are left out, and read from unicode_since_15.txt, so that every build gives the same text the same tokens.
#
# The same file, run with `cmake -D UCD=<folder> -D OUTPUT=<file> -P`, is the generator.

set(OCTET_UNICODE_VERSION 15.0)
# The tokenizers in common use are made of parts that know Unicode of different age, and equal ids are worth more than one
# age for all. A character younger than that of a part is to it like one that is not assigned.
set(OCTET_UNICODE_CATEGORY_VERSION 16.0)      # what GPT-2's words are made of
set(OCTET_UNICODE_LOWERCASE_VERSION 17.0)
set(OCTET_UNICODE_NORMALIZATION_VERSION 9.0)  # decompositions and combining classes
set(OCTET_UNICODE_BERT_VERSION 8.0)           # categories in BERT's clean-up; see modules/text/unicode.cpp
set(OCTET_UNICODE_FILES UnicodeData.txt SpecialCasing.txt CompositionExclusions.txt DerivedAge.txt)
set(OCTET_UNICODE_HASHES
  806e9aed65037197f1ec85e12be6e8cd870fc5608b4de0fffd990f689f376a73
  78b29c64b5840d25c11a9f31b665ee551b8a499eca6c70d770fcad7dd710f494
  3b019c0a33c3140cbc920c078f4f9af2680ba4f71869c8d4de5190667c70b6a3
  7570877e0fa197c45338f7c41a02636da4e14c8dba6a3611a01cd30bf329d5ca)

# The version in the first line of a DerivedAge.txt: "# DerivedAge-15.0.0.txt".
function(octet_unicode_version ages result)
  file(STRINGS "${ages}" line LIMIT_COUNT 1)
  string(REGEX MATCH "DerivedAge-([0-9.]+)\\.txt" matched "${line}")
  set(${result} "${CMAKE_MATCH_1}" PARENT_SCOPE)
endfunction()

function(octet_unicode_tables target)
  find_path(OCTET_UCD UnicodeData.txt PATHS /usr/share/unicode /usr/share/unicode/ucd NO_CMAKE_FIND_ROOT_PATH
    DOC "Folder of the Unicode Character Database")
  set(folder "${OCTET_UCD}")
  set(version 0)
  if(EXISTS "${folder}/DerivedAge.txt")
    octet_unicode_version("${folder}/DerivedAge.txt" version)
  endif()
  if(version VERSION_LESS OCTET_UNICODE_VERSION)
    set(folder "${PROJECT_BINARY_DIR}/ucd")
    foreach(file hash IN ZIP_LISTS OCTET_UNICODE_FILES OCTET_UNICODE_HASHES)
      file(DOWNLOAD "https://www.unicode.org/Public/${OCTET_UNICODE_VERSION}.0/ucd/${file}" "${folder}/${file}"
        EXPECTED_HASH SHA256=${hash})
    endforeach()
  endif()
  list(TRANSFORM OCTET_UNICODE_FILES PREPEND "${folder}/" OUTPUT_VARIABLE sources)
  set(output "${PROJECT_BINARY_DIR}/generated/unicode_tables.inc")
  set(script "${PROJECT_SOURCE_DIR}/cmake/unicode_tables.cmake")
  add_custom_command(OUTPUT "${output}"
    COMMAND "${CMAKE_COMMAND}" -D "UCD=${folder}" -D "OUTPUT=${output}" -P "${script}"
    DEPENDS ${sources} "${script}" "${PROJECT_SOURCE_DIR}/cmake/unicode_since_15.txt"
    VERBATIM COMMENT "Reading the Unicode tables")
  target_sources(${target} PRIVATE "${output}")
  target_include_directories(${target} PRIVATE "$<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/generated>")
endfunction()

if(NOT CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  return()
endif()

# When characters came that are younger than the oldest version in use: "first:last:version" by increasing code point.
set(ages)
file(STRINGS "${UCD}/DerivedAge.txt" lines REGEX "^[0-9A-F]+")
foreach(line IN LISTS lines)
  string(REGEX MATCH "^([0-9A-F]+)(\\.\\.([0-9A-F]+))? *; *([0-9.]+)" matched "${line}")
  set(version "${CMAKE_MATCH_4}")
  if(version VERSION_GREATER OCTET_UNICODE_BERT_VERSION)
    set(last "${CMAKE_MATCH_3}")
    if(last STREQUAL "")
      set(last "${CMAKE_MATCH_1}")
    endif()
    math(EXPR first "0x${CMAKE_MATCH_1}")
    math(EXPR last "0x${last}")
    list(APPEND ages "${first}:${last}:${version}")
  endif()
endforeach()
list(SORT ages COMPARE NATURAL)
set(age_last -1)

# The tables. Runs of equal category or combining class become one row each.
set(categories)
set(classes)
set(decompositions)
set(lowercases)
set(young_runs)        # younger than OCTET_UNICODE_BERT_VERSION
set(category Cn)
set(next 0)            # the first code point not yet accounted for
set(class 0)
set(class_next -1)
set(young_next -1)

# One row: the characters from `code` to `last` came with `version` and are of one category, one class. A decomposition
# or a lowercase form is that of the first; the following ones have the following lowercase forms.
macro(octet_characters code last version this_category this_class decomposition lowercase)
  if(NOT "${version}" VERSION_GREATER OCTET_UNICODE_CATEGORY_VERSION)
    if(NOT ${code} EQUAL next AND NOT category STREQUAL Cn)
      string(APPEND categories "{${next},Category::Cn},\n")
      set(category Cn)
    endif()
    if(NOT "${this_category}" STREQUAL category)
      string(APPEND categories "{${code},Category::${this_category}},\n")
      set(category "${this_category}")
    endif()
    math(EXPR next "${last} + 1")
  endif()

  if("${version}" VERSION_GREATER OCTET_UNICODE_BERT_VERSION AND
     NOT "${version}" VERSION_GREATER OCTET_UNICODE_CATEGORY_VERSION)
    if(NOT ${code} EQUAL young_next)
      if(young_next GREATER 0)
        string(APPEND young_runs "{${young_first},${young_last}},\n")
      endif()
      set(young_first "${code}")
    endif()
    set(young_last "${last}")
    math(EXPR young_next "${last} + 1")
  endif()

  if(NOT "${version}" VERSION_GREATER OCTET_UNICODE_NORMALIZATION_VERSION)
    if(NOT "${this_class}" EQUAL class OR NOT ${code} EQUAL class_next)
      if(NOT class EQUAL 0)
        string(APPEND classes "{${class_first},${class_last},${class}},\n")
      endif()
      set(class "${this_class}")
      set(class_first "${code}")
    endif()
    set(class_last "${last}")
    math(EXPR class_next "${last} + 1")
    if(NOT "${decomposition}" STREQUAL "" AND NOT "${decomposition}" MATCHES "^<")
      string(REGEX REPLACE "([0-9A-F]+)" "0x\\1" parts "${decomposition}")
      string(REPLACE " " "," parts "${parts}")
      string(APPEND decompositions "{${code},${parts}},\n")
    endif()
  endif()

  if(NOT "${lowercase}" STREQUAL "" AND NOT "${version}" VERSION_GREATER OCTET_UNICODE_LOWERCASE_VERSION)
    math(EXPR lower "0x${lowercase}")
    foreach(upper RANGE ${code} ${last})
      string(APPEND lowercases "{${upper},${lower}},\n")
      math(EXPR lower "${lower} + 1")
    endforeach()
  endif()
endmacro()

# The younger characters; the file says how its lines are to be read.
file(STRINGS "${CMAKE_CURRENT_LIST_DIR}/unicode_since_15.txt" younger REGEX "^[0-9A-F]+")
# Puts those before `code` into their place.
macro(octet_younger_before code)
  while(younger)
    list(GET younger 0 row)
    string(REGEX MATCH "^([0-9A-F]+)(\\.\\.([0-9A-F]+))? ([0-9.]+) (..)( ([0-9A-F]+))?" matched "${row}")
    math(EXPR row_first "0x${CMAKE_MATCH_1}")
    if(row_first GREATER "${code}")
      break()
    endif()
    set(row_last "${row_first}")
    if(CMAKE_MATCH_3)
      math(EXPR row_last "0x${CMAKE_MATCH_3}")
    endif()
    octet_characters(${row_first} ${row_last} "${CMAKE_MATCH_4}" "${CMAKE_MATCH_5}" 0 "" "${CMAKE_MATCH_7}")
    list(POP_FRONT younger)
  endwhile()
endmacro()

set(first "")
file(STRINGS "${UCD}/UnicodeData.txt" lines)
foreach(line IN LISTS lines)
  string(REGEX MATCH "^([0-9A-F]+);([^;]*);(..);([0-9]+);[^;]*;([^;]*);[^;]*;[^;]*;[^;]*;[^;]*;[^;]*;[^;]*;[^;]*;([0-9A-F]*)" matched "${line}")
  math(EXPR last "0x${CMAKE_MATCH_1}")
  set(name "${CMAKE_MATCH_2}")
  set(row_category "${CMAKE_MATCH_3}")
  set(row_class "${CMAKE_MATCH_4}")
  set(row_decomposition "${CMAKE_MATCH_5}")
  set(row_lowercase "${CMAKE_MATCH_6}")
  # A block that is not listed character by character has two lines, "<…, First>" and "<…, Last>".
  if(first STREQUAL "")
    set(first "${last}")
  endif()
  if(name MATCHES ", First>$")
    continue()
  endif()
  # And it may have grown from version to version.
  while(first LESS_EQUAL last)
    while(ages AND first GREATER age_last)
      list(POP_FRONT ages age)
      string(REPLACE ":" ";" age "${age}")
      list(GET age 0 age_first)
      list(GET age 1 age_last)
      list(GET age 2 age_version)
    endwhile()
    set(piece_last "${last}")
    set(version "${OCTET_UNICODE_BERT_VERSION}")  # or older
    if(first LESS age_first)
      if(age_first LESS_EQUAL last)
        math(EXPR piece_last "${age_first} - 1")
      endif()
    elseif(first LESS_EQUAL age_last)
      set(version "${age_version}")
      if(age_last LESS last)
        set(piece_last "${age_last}")
      endif()
    endif()
    if(NOT version VERSION_GREATER OCTET_UNICODE_VERSION)
      octet_younger_before(${first})
      octet_characters(${first} ${piece_last} "${version}" ${row_category} ${row_class} "${row_decomposition}"
        "${row_lowercase}")
    endif()
    math(EXPR first "${piece_last} + 1")
  endwhile()
  set(first "")
endforeach()
octet_younger_before(1114111)
if(NOT class EQUAL 0)
  string(APPEND classes "{${class_first},${class_last},${class}},\n")
endif()
string(APPEND categories "{${next},Category::Cn},\n")

# Lowercase forms of several characters, those without a condition: "0130; 0069 0307; 0130; 0130; # …".
set(long_lowercases)
file(STRINGS "${UCD}/SpecialCasing.txt" lines REGEX "^[0-9A-F]+; [0-9A-F]+ [0-9A-F ]+; [^;]*; [^;]*; #")
foreach(line IN LISTS lines)
  string(REGEX MATCH "^([0-9A-F]+); ([0-9A-F]+) ([0-9A-F]+);" matched "${line}")
  string(APPEND long_lowercases "{0x${CMAKE_MATCH_1},0x${CMAKE_MATCH_2},0x${CMAKE_MATCH_3}},\n")
endforeach()

# Not listed in the order of code points, but searched in it.
set(excluded)
file(STRINGS "${UCD}/CompositionExclusions.txt" lines REGEX "^[0-9A-F]+")
foreach(line IN LISTS lines)
  string(REGEX MATCH "^[0-9A-F]+" code "${line}")
  math(EXPR code "0x${code}")
  list(APPEND excluded ${code})
endforeach()
list(SORT excluded COMPARE NATURAL)
list(JOIN excluded ",\n" exclusions)

file(WRITE "${OUTPUT}" "// Written by cmake/unicode_tables.cmake.
constexpr CategoryRun category_runs[] = {
${categories}};
constexpr ClassRun class_runs[] = {
${classes}};
constexpr Decomposition decompositions[] = {
${decompositions}};
constexpr Lowercase lowercases[] = {
${lowercases}};
constexpr LongLowercase long_lowercases[] = {
${long_lowercases}};
constexpr char32_t composition_exclusions[] = {
${exclusions}};
// Younger than Unicode ${OCTET_UNICODE_BERT_VERSION}.
constexpr Range young_runs[] = {
${young_runs}{${young_first},${young_last}}};
")
