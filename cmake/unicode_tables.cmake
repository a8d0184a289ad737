# octet_unicode_tables(<target>)
#
# Gives <target> the header unicode_tables.inc, written at build time from the Unicode Character Database: this system's copy
# (Debian: unicode-data), or a download pinned by hash. The database may be newer than the version named here: characters that
# came later are left out, so that every build gives the same text the same tokens.
#
# The same file, run with `cmake -D UCD=<folder> -D OUTPUT=<file> -P`, is the generator.

set(OCTET_UNICODE_VERSION 15.0)
# The version that the tokenizers of BERT's kind in common use take categories from; see modules/text/unicode.cpp.
set(OCTET_UNICODE_BERT_VERSION 8.0)
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
    DEPENDS ${sources} "${script}" VERBATIM COMMENT "Reading the Unicode tables")
  target_sources(${target} PRIVATE "${output}")
  target_include_directories(${target} PRIVATE "${PROJECT_BINARY_DIR}/generated")
endfunction()

if(NOT CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  return()
endif()

# Characters younger than OCTET_UNICODE_BERT_VERSION, as "first:last:version" by increasing code point.
set(young)
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
    list(APPEND young "${first}:${last}:${version}")
  endif()
endforeach()
list(SORT young COMPARE NATURAL)
set(young_first -1)
set(young_last -1)
set(young_runs)        # what is young and yet old enough for the tables
set(run_first 0)
set(run_last -2)

# One pass over the characters. Runs of equal category or combining class become one row each.
set(categories)
set(classes)
set(decompositions)
set(lowercases)
set(category Cn)
set(next 0)            # the first code point not yet accounted for
set(class 0)
set(class_first 0)
set(class_last 0)
file(STRINGS "${UCD}/UnicodeData.txt" lines)
foreach(line IN LISTS lines)
  string(REGEX MATCH "^([0-9A-F]+);([^;]*);(..);([0-9]+);[^;]*;([^;]*);[^;]*;[^;]*;[^;]*;[^;]*;[^;]*;[^;]*;[^;]*;([0-9A-F]*)" matched "${line}")
  set(hex "${CMAKE_MATCH_1}")
  set(name "${CMAKE_MATCH_2}")
  set(this_category "${CMAKE_MATCH_3}")
  set(this_class "${CMAKE_MATCH_4}")
  set(decomposition "${CMAKE_MATCH_5}")
  set(lowercase "${CMAKE_MATCH_6}")
  math(EXPR code "0x${hex}")

  while(young AND code GREATER young_last)
    list(POP_FRONT young range)
    string(REPLACE ":" ";" range "${range}")
    list(GET range 0 young_first)
    list(GET range 1 young_last)
    list(GET range 2 young_version)
    if(young_version VERSION_LESS_EQUAL OCTET_UNICODE_VERSION)
      math(EXPR adjacent "${run_last} + 1")
      if(NOT young_first EQUAL adjacent)
        if(run_last GREATER 0)
          string(APPEND young_runs "{${run_first},${run_last}},\n")
        endif()
        set(run_first "${young_first}")
      endif()
      set(run_last "${young_last}")
    endif()
  endwhile()
  if(code GREATER_EQUAL young_first AND code LESS_EQUAL young_last AND young_version VERSION_GREATER OCTET_UNICODE_VERSION)
    continue()
  endif()

  # A block that is not listed character by character has two lines, "<…, First>" and "<…, Last>".
  if(NOT code EQUAL next AND NOT name MATCHES ", Last>$" AND NOT category STREQUAL Cn)
    string(APPEND categories "{${next},Category::Cn},\n")
    set(category Cn)
  endif()
  if(NOT this_category STREQUAL category)
    string(APPEND categories "{${code},Category::${this_category}},\n")
    set(category "${this_category}")
  endif()
  math(EXPR next "${code} + 1")

  if(NOT this_class EQUAL class OR NOT code EQUAL class_next)
    if(NOT class EQUAL 0)
      string(APPEND classes "{${class_first},${class_last},${class}},\n")
    endif()
    set(class "${this_class}")
    set(class_first "${code}")
  endif()
  set(class_last "${code}")
  set(class_next "${next}")

  if(NOT decomposition STREQUAL "" AND NOT decomposition MATCHES "^<")
    string(REGEX REPLACE "([0-9A-F]+)" "0x\\1" decomposition "${decomposition}")
    string(REPLACE " " "," decomposition "${decomposition}")
    string(APPEND decompositions "{${code},${decomposition}},\n")
  endif()
  if(NOT lowercase STREQUAL "")
    string(APPEND lowercases "{${code},0x${lowercase}},\n")
  endif()
endforeach()
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

file(WRITE "${OUTPUT}" "// Unicode ${OCTET_UNICODE_VERSION}. Written by cmake/unicode_tables.cmake.
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
${young_runs}{${run_first},${run_last}}};
")
