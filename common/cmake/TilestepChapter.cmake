# What a chapter's folder becomes: a program, the tests of its page and its exercises. docs/contributing.md tells the
# conventions; docs/tools reads the same add_chapter() calls for the index, the docs and `./tutorial run`.
find_package(Python3 COMPONENTS Interpreter)
set(TILESTEP_ONLY_CHAPTERS "" CACHE STRING "Names of the chapters to build, separated by semicolons; empty: all of them")

# add_chapter(NAME ADDS "..." [BUILDS_ON NAME] [RUNS "--options" ...] [BENCH "--options" ...] [SOURCES FILE...])
#   ADDS       what the chapter adds, one sentence of the index
#   BUILDS_ON  the chapter whose kernel.hpp this one changes
#   RUNS       the problems that `./tutorial run` runs, one string of options each
#   BENCH      the problems that `./tutorial bench` measures, likewise; without it a GEMM chapter has two of 4096
#   SOURCES    further kernel-launching sources beside main.cpp and figures.cpp
function(add_chapter name)
  cmake_parse_arguments(PARSE_ARGV 1 CHAPTER "" "ADDS;BUILDS_ON" "RUNS;BENCH;SOURCES")
  if(CHAPTER_UNPARSED_ARGUMENTS OR NOT CHAPTER_ADDS)
    message(FATAL_ERROR "add_chapter(${name}): wants ADDS \"...\" and takes BUILDS_ON, RUNS, BENCH, SOURCES; "
                        "not understood: '${CHAPTER_UNPARSED_ARGUMENTS}'")
  endif()
  if(TILESTEP_ONLY_CHAPTERS AND NOT name IN_LIST TILESTEP_ONLY_CHAPTERS)
    return()
  endif()
  set(sources main.cpp ${CHAPTER_SOURCES})
  if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/figures.cpp)
    list(APPEND sources figures.cpp)
  endif()
  add_executable(${name} ${sources})
  tilestep_kernel_sources(${sources})
  target_link_libraries(${name} PRIVATE tilestep::tilestep tilestep_harness tilestep_warnings)
  add_dependencies(chapters ${name})
  if(TILESTEP_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # A kernel is one long function after inlining: watching its variables and each pointer takes five times as long to compile. What is
    # allocated, every array bound and every overflow stay watched; the library's tests watch everything.
    target_compile_options(${name} PRIVATE --param asan-stack=0 -fno-sanitize=null,alignment,object-size,vptr,pointer-overflow)
  endif()
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
