# What a chapter's folder becomes: a program, the tests of its page and its exercises. docs/contributing.md tells the
# conventions; docs/tools reads the same add_chapter() calls for the index, the docs and `./tutorial run`.
find_package(Python3 COMPONENTS Interpreter)
set(TILESTEP_ONLY_CHAPTERS "" CACHE
  STRING "Names of the chapters to build, separated by semicolons; empty: all of them")

# add_chapter(NAME ADDS "..." [BUILDS_ON NAME] [RUNS "--options" ...] [TARGETS T...] [BENCH "--options" ...] [SOURCES
# FILE...])
#   ADDS       what the chapter adds, one sentence of the index
#   BUILDS_ON  the chapter whose kernel.hpp this one changes
#   RUNS       the problems that `./tutorial run` runs, one string of options each
#   TARGETS    what it shows of the virtual GPU, where the chapter is for other machines than sm80, gfx942 and gfx1100
#   BENCH      the problems that `./tutorial bench` measures, likewise; without it a GEMM chapter has two of 4096
#   SOURCES    further kernel-launching sources beside main.cpp and figures.cpp
function(add_chapter name)
  cmake_parse_arguments(PARSE_ARGV 1 CHAPTER "" "ADDS;BUILDS_ON" "RUNS;TARGETS;BENCH;SOURCES")
  if(CHAPTER_UNPARSED_ARGUMENTS OR NOT CHAPTER_ADDS)
    message(FATAL_ERROR "add_chapter(${name}): wants ADDS \"...\" and takes BUILDS_ON, RUNS, TARGETS, BENCH, SOURCES; "
                        "not understood: '${CHAPTER_UNPARSED_ARGUMENTS}'")
  endif()
  if(TILESTEP_ONLY_CHAPTERS AND NOT name IN_LIST TILESTEP_ONLY_CHAPTERS)
    return()
  endif()
  set(sources main.cpp ${CHAPTER_SOURCES})
  if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/figures.cpp)
    list(APPEND sources figures.cpp)
  endif()
  tilestep_chapter_program(${name} "${sources}" "${CHAPTER_RUNS}")
  set_property(GLOBAL APPEND PROPERTY TILESTEP_CHAPTERS ${name})  # for the tests of device code

  # The page and the exercises are checked on the virtual GPU, where every machine gives the same output.
  if(TILESTEP_TESTS AND TILESTEP_BACKEND STREQUAL "host")
    foreach(part expected figures counters budget commands)
      tilestep_tool_test("chapter ${name}: ${part}" ${part}.py --check --bin ${CMAKE_RUNTIME_OUTPUT_DIRECTORY} ${name})
    endforeach()
    set_tests_properties("chapter ${name}: commands" PROPERTIES LABELS sanitized)
    file(GLOB exercises CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/exercises/*/check.cpp)
    foreach(check ${exercises})
      tilestep_exercise(${name} ${check})
    endforeach()
  endif()
endfunction()

# The chapter's program in bin, and a second one in bin/table, which has the kernels that the table of `./tutorial run`
# shows and no others: a third of them, and of the time. Both are made of the same objects. Neither has kernels for GPUs
# that it is not compiled for.
function(tilestep_chapter_program name sources runs)
  set(absent "")
  if(NOT TILESTEP_BACKEND STREQUAL "host")
    set(absent ${sources})
    list(FILTER absent INCLUDE REGEX "^(nvidia|cdna|rdna)[0-9]*(_.*)?\\.cpp$")
    tilestep_drop_families_here(absent)
    list(REMOVE_ITEM sources ${absent})
  endif()
  tilestep_kernel_sources(${sources})
  tilestep_sanitize_lightly(${sources})
  if(TILESTEP_BACKEND STREQUAL "host" AND NOT TILESTEP_SANITIZE AND figures.cpp IN_LIST sources)
    set_property(SOURCE figures.cpp APPEND PROPERTY COMPILE_OPTIONS $<$<CONFIG:Release>:-O0>)  # pictures are drawn once
  endif()
  set(others ${sources})
  tilestep_drop_what_the_table_runs(others "${runs}")
  set(shown ${sources})
  list(REMOVE_ITEM shown ${others})
  foreach(part shown others)
    if(${part})
      add_library(${name}-${part} OBJECT ${${part}})
      target_link_libraries(${name}-${part} PRIVATE tilestep::tilestep tilestep_harness tilestep_warnings)
    endif()
  endforeach()
  tilestep_left_out(left_out absent.cpp ${absent})
  add_executable(${name} $<TARGET_OBJECTS:${name}-shown> ${left_out})
  if(others)
    target_sources(${name} PRIVATE $<TARGET_OBJECTS:${name}-others>)
  endif()
  add_dependencies(chapters ${name})
  tilestep_left_out(left_out left_out.cpp ${others} ${absent})
  add_executable(${name}-table EXCLUDE_FROM_ALL $<TARGET_OBJECTS:${name}-shown> ${left_out})
  set_target_properties(${name}-table PROPERTIES OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY
    ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/table)
  add_dependencies(table ${name}-table)
  foreach(program ${name} ${name}-table)
    target_link_libraries(${program} PRIVATE tilestep::tilestep tilestep_harness)
    target_include_directories(${program} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  endforeach()
endfunction()

# Removes from a list of sources those of the families of GPUs that this tree is compiled for.
function(tilestep_drop_families_here list)
  set(left ${${list}})
  if(TILESTEP_BACKEND STREQUAL "cuda")
    list(FILTER left EXCLUDE REGEX "^nvidia")
  endif()
  foreach(pair "gfx9=^cdna(_|\\.)" "gfx950=^cdna4" "gfx11=^rdna3" "gfx12=^rdna4")
    string(REGEX REPLACE "=.*" "" architecture "${pair}")
    string(REGEX REPLACE "^[^=]*=" "" family "${pair}")
    if(TILESTEP_BACKEND STREQUAL "hip" AND "${CMAKE_HIP_ARCHITECTURES}" MATCHES "${architecture}")
      list(FILTER left EXCLUDE REGEX "${family}")
    endif()
  endforeach()
  set(${list} ${left} PARENT_SCOPE)
endfunction()

# Removes from a list of sources what the table needs. Its targets are sm80, gfx942 and gfx1100, so rdna4 and cdna4 are
# left. Its types are f16 -> f32, and what problems name: of a family that has sources for f16 all others are left, but
# those of types that are named. A problem that names a kernel needs all sources.
function(tilestep_drop_what_the_table_runs list runs)
  string(REGEX MATCHALL "--dtype [a-z0-9]+" types "${runs}")
  list(TRANSFORM types REPLACE "--dtype " "")
  list(APPEND types f16)
  set(left "")
  foreach(source ${${list}})
    cmake_path(GET source STEM stem)
    string(REGEX MATCH "^[^_]+" family ${stem})
    set(prefix ${family}_)
    if(stem MATCHES "^(f16|bf16|f32|f64|i8)$")
      set(prefix "")
    endif()
    set(wanted "")  # the stems of the types' own sources; a type without one is in the family's
    foreach(type ${types})
      if(${prefix}${type}.cpp IN_LIST ${list})
        list(APPEND wanted ${prefix}${type})
      else()
        list(APPEND wanted ${family})
      endif()
    endforeach()
    string(REGEX REPLACE "_few$" "" kind ${stem})
    if(family MATCHES "^[rc]dna4$")
      list(APPEND left ${source})
    elseif(NOT runs MATCHES "--kernel" AND (family STREQUAL "fma" AND NOT f32 IN_LIST types OR ${prefix}f16.cpp IN_LIST
      ${list} AND NOT kind IN_LIST wanted))
      list(APPEND left ${source})
    endif()
  endforeach()
  set(${list} ${left} PARENT_SCOPE)
endfunction()

# Writes a source of this name in which every family that these sources define has nothing for any problem, and returns
# its path; "" where there is none.
function(tilestep_left_out result name)
  set(includes "")
  set(functions "")
  foreach(source ${ARGN})
    file(STRINGS ${source} lines REGEX "^#include \"|^[A-Za-z:<>_]+ [a-z0-9_]+\\(GemmCall const& call\\) {")
    foreach(line ${lines})
      if(line MATCHES "^(#include \"[^\"]+\")")
        list(APPEND includes "${CMAKE_MATCH_1}")
      elseif(line MATCHES "^void [^(]+")
        list(APPEND functions "${CMAKE_MATCH_0}(GemmCall const&) {}")
      elseif(line MATCHES "^[^(]+")
        list(APPEND functions "${CMAKE_MATCH_0}(GemmCall const&) { return {}$<SEMICOLON> }")
      endif()
    endforeach()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${source})
  endforeach()
  if(NOT functions)
    set(${result} "" PARENT_SCOPE)
    return()
  endif()
  list(REMOVE_DUPLICATES includes)
  list(REMOVE_ITEM includes "#include \"kernel.hpp\"")
  list(REMOVE_DUPLICATES functions)
  list(JOIN includes "\n" includes)
  list(JOIN functions "\n" functions)
  set(file ${CMAKE_CURRENT_BINARY_DIR}/${name})
  file(GENERATE OUTPUT ${file}
    CONTENT "// Made by CMake.\n${includes}\n\nnamespace tilestep {\n\n${functions}\n\n}  // namespace tilestep\n")
  tilestep_kernel_sources(${file})
  set(${result} ${file} PARENT_SCOPE)
endfunction()

# exercises/NN_name/check.cpp includes EXERCISE_HEADER: exercise.hpp in one program, solution.hpp in the other.
function(tilestep_exercise chapter check)
  cmake_path(GET check PARENT_PATH folder)
  cmake_path(GET folder FILENAME exercise)
  tilestep_kernel_sources(${check})
  foreach(header exercise solution)
    set(program ${chapter}-${exercise}-${header})
    add_executable(${program} ${check})
    target_include_directories(${program} PRIVATE ${folder} ${CMAKE_CURRENT_SOURCE_DIR})
    target_compile_definitions(${program} PRIVATE EXERCISE_HEADER="${header}.hpp")
    target_link_libraries(${program} PRIVATE tilestep::tilestep tilestep_harness)
    set_target_properties(${program} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/exercises)
    tilestep_tool_test("exercise ${chapter}/${exercise}: ${header}.hpp"
                       exercises.py --check ${header} ${folder} $<TARGET_FILE:${program}>)
  endforeach()
endfunction()

# One test that runs a program of docs/tools.
function(tilestep_tool_test test tool)
  add_test(NAME ${test} COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/docs/tools/${tool} ${ARGN})
endfunction()
