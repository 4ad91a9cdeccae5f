# What a chapter's folder becomes: a program, the tests of its page and its exercises. docs/contributing.md tells the
# conventions; docs/tools reads the same add_chapter() calls for the index, the docs and `./tutorial run`.
find_package(Python3 COMPONENTS Interpreter)
set(TILESTEP_ONLY_CHAPTERS "" CACHE
  STRING "Names of the chapters to build, separated by semicolons; empty: all of them")

# Kernels that the virtual GPU's compiler gets as one source, of all chapters that have them.
set(TILESTEP_TOGETHER "nvidia_f16 nvidia_f16_few" "cdna_f16 rdna3_f16" cdna4_f16 "rdna4_f16 fma")

# add_chapter(NAME ADDS "..." [BUILDS_ON NAME] [RUNS "--options" ...] [TARGETS T...] [BENCH "--options" ...]
#             [SOURCES FILE...] [LIBRARIES TARGET...] [KERNELS "NAME..." ...] [MORE_KERNELS "NAME..." ...] [DTYPE T]
#             [KERNELS_OF NAME...] [PROCESSES P])
#   ADDS       what the chapter adds, one sentence of the index
#   BUILDS_ON  the chapter whose kernel.hpp this one changes
#   RUNS       the problems that `./tutorial run` runs, one string of options each
#   TARGETS    what it shows of the virtual GPU, where the chapter is for other machines than sm80, gfx942 and gfx1100
#   BENCH      the problems that `./tutorial bench` measures, likewise; without it a GEMM chapter has two of 4096
#   SOURCES    further sources beside main.cpp and figures.cpp
#   KERNELS    what kernels_of<kinds::NAME> of the chapter's families.hpp is compiled for: FAMILY_TYPE, FAMILY_TYPE_MORE
#              or TYPE, where a FAMILY is nvidia, hopper, cdna, cdna4, rdna3 or rdna4. For the virtual GPU the names of
#              a string are compiled together, in half the time that they take one by one; those in TILESTEP_TOGETHER
#              with those of other chapters. `./tutorial run` needs these
#   MORE_KERNELS  likewise, those that `./tutorial run` does without
#   DTYPE      the program's type, where that is not the type of the first of KERNELS
#   KERNELS_OF the chapters that have the kernels, where they are not this one's: of several chapters, the first that
#              has kernels for a problem computes it
#   LIBRARIES  what the program is linked with beside the harness
#   PROCESSES  how many processes mpirun starts of the program, where it is not run alone
function(add_chapter name)
  cmake_parse_arguments(PARSE_ARGV 1 CHAPTER "" "ADDS;BUILDS_ON;DTYPE;PROCESSES"
    "RUNS;TARGETS;BENCH;SOURCES;LIBRARIES;KERNELS;MORE_KERNELS;KERNELS_OF")
  if(CHAPTER_UNPARSED_ARGUMENTS OR NOT CHAPTER_ADDS)
    message(FATAL_ERROR "add_chapter(${name}): wants ADDS \"...\" and takes BUILDS_ON, RUNS, TARGETS, BENCH, SOURCES, "
                        "LIBRARIES, KERNELS, MORE_KERNELS, DTYPE, KERNELS_OF, PROCESSES; not understood: "
                        "'${CHAPTER_UNPARSED_ARGUMENTS}'")
  endif()
  if(TILESTEP_ONLY_CHAPTERS AND NOT name IN_LIST TILESTEP_ONLY_CHAPTERS)
    return()
  endif()
  get_property(built GLOBAL PROPERTY TILESTEP_CHAPTERS)
  foreach(chapter ${CHAPTER_KERNELS_OF})
    if(NOT chapter IN_LIST built)
      message(FATAL_ERROR "add_chapter(${name}): runs the kernels of ${chapter}: name it in TILESTEP_ONLY_CHAPTERS, "
                          "too")
    endif()
  endforeach()
  set_property(GLOBAL APPEND PROPERTY TILESTEP_CHAPTERS ${name})
  set_property(GLOBAL PROPERTY TILESTEP_SHOWN_${name} ${CHAPTER_KERNELS})
  set_property(GLOBAL PROPERTY TILESTEP_MORE_${name} ${CHAPTER_MORE_KERNELS})
  string(REPLACE " " ";" kernels "${CHAPTER_KERNELS};${CHAPTER_MORE_KERNELS}")
  list(REMOVE_ITEM kernels "")
  set_property(GLOBAL PROPERTY TILESTEP_KERNELS_${name} ${kernels})
  if(NOT CHAPTER_KERNELS_OF)
    set(CHAPTER_KERNELS_OF ${name})
  endif()
  tilestep_chapter_programs(${name} main.cpp ${CHAPTER_SOURCES})

  # The page and the exercises are checked on the virtual GPU, where every machine gives the same output.
  if(TILESTEP_TESTS AND TILESTEP_BACKEND STREQUAL "host")
    foreach(part expected figures counters budget commands)
      tilestep_tool_test("chapter ${name}: ${part}" ${part}.py --check --bin ${CMAKE_RUNTIME_OUTPUT_DIRECTORY} ${name})
    endforeach()
    set_tests_properties("chapter ${name}: commands" PROPERTIES LABELS sanitized)
  endif()
  if(TILESTEP_BACKEND STREQUAL "host")
    file(GLOB exercises CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/exercises/*/check.cpp)
    foreach(check ${exercises})
      tilestep_exercise(${name} ${check})
    endforeach()
  endif()
endfunction()

# The chapter's program in bin, and smaller ones, which are built when they are asked for: bin/FAMILY_TYPE/NAME for one
# target and type, bin/shown/NAME for what `./tutorial run` shows. A program has no kernels for GPUs that it is not
# compiled for.
function(tilestep_chapter_programs name)
  tilestep_chapter_objects(${name}-main ${ARGN})
  tilestep_use_precompiled(${name}-main tilestep_headers)
  set(objects $<TARGET_OBJECTS:${name}-main>)
  if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/figures.cpp)  # pictures are drawn once
    tilestep_chapter_objects(${name}-figures figures.cpp)
    if(TILESTEP_BACKEND STREQUAL "host" AND NOT TILESTEP_SANITIZE)
      set_property(SOURCE figures.cpp APPEND PROPERTY COMPILE_OPTIONS $<$<CONFIG:Release>:-O0>)
    endif()
    tilestep_use_precompiled(${name}-figures tilestep_run_once_headers)
    list(APPEND objects $<TARGET_OBJECTS:${name}-figures>)
  endif()

  # Each "CHAPTER NAME ...": what is compiled together.
  set(SHOWN "")
  set(MORE "")
  foreach(which SHOWN MORE)
    foreach(chapter ${CHAPTER_KERNELS_OF})
      get_property(together GLOBAL PROPERTY TILESTEP_${which}_${chapter})
      list(TRANSFORM together PREPEND "${chapter} ")
      list(APPEND ${which} ${together})
    endforeach()
  endforeach()
  set(groups "")  # each FAMILY_TYPE, and of each of these what belongs to it
  foreach(together ${SHOWN} ${MORE})
    string(REPLACE " " ";" parts "${together}")
    list(POP_FRONT parts chapter)
    tilestep_drop_kernels_of_others(parts)
    list(TRANSFORM parts REPLACE "^(((nvidia|hopper|cdna4?|rdna[34])_)?[a-z0-9]+).*" "\\1" OUTPUT_VARIABLE here)
    list(REMOVE_DUPLICATES here)
    foreach(group ${here})
      set(of_group ${parts})
      list(FILTER of_group INCLUDE REGEX "^${group}(_|$)")
      list(JOIN of_group " " of_group)
      list(APPEND parts_of_${group} "${chapter} ${of_group}")
    endforeach()
    list(APPEND groups ${here})
  endforeach()
  list(REMOVE_DUPLICATES groups)

  tilestep_link_chapter(${name} TOGETHER ${SHOWN} ${MORE})
  add_dependencies(chapters ${name})
  add_dependencies(${name} machines)  # what the page's budgets ask
  foreach(group ${groups})
    tilestep_link_chapter(${name}-${group} ALONE ${parts_of_${group}})
    set_target_properties(${name}-${group} PROPERTIES EXCLUDE_FROM_ALL TRUE OUTPUT_NAME ${name}
                          RUNTIME_OUTPUT_DIRECTORY ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${group})
  endforeach()
  if(MORE)
    tilestep_link_chapter(${name}-shown TOGETHER ${SHOWN})
    set_target_properties(${name}-shown PROPERTIES EXCLUDE_FROM_ALL TRUE OUTPUT_NAME ${name}
                          RUNTIME_OUTPUT_DIRECTORY ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/shown)
  endif()
endfunction()

# A library of objects of a chapter.
function(tilestep_chapter_objects library)
  tilestep_kernel_sources(${ARGN})
  tilestep_sanitize_lightly(${ARGN})
  add_library(${library} OBJECT ${ARGN})
  target_include_directories(${library} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_link_libraries(${library} PRIVATE tilestep::tilestep tilestep_harness tilestep_warnings
                        ${CHAPTER_LIBRARIES})
endfunction()

# The objects of a chapter's kernels of these names. Device code takes longer than what names share: for a GPU each is
# compiled alone.
function(tilestep_kernel_objects result chapter)
  set(together "${ARGN}")
  if(TILESTEP_BACKEND STREQUAL "host")
    string(REPLACE ";" "-" together "${ARGN}")
  endif()
  set(objects "")
  foreach(names ${together})
    set(library ${chapter}-kernels-${names})
    if(NOT TARGET ${library})
      string(REPLACE "-" ";" parts "${names}")
      list(TRANSFORM parts PREPEND "${chapter} ")
      tilestep_kernel_library(${library} ${parts})
    endif()
    list(APPEND objects $<TARGET_OBJECTS:${library}>)
  endforeach()
  set(${result} ${objects} PARENT_SCOPE)
endfunction()

# Chapters share most of what their kernels instantiate, and compile faster as one source than one by one. So the names
# in a string of TILESTEP_TOGETHER are one source for the virtual GPU, whichever chapters have them; each of these has a
# namespace of its own, called as the folder without its number. The program of one target and type has its chapter's
# alone all the same: it is what an edit waits for.
# tilestep_take_together(RESULT CHAPTER NAMES): the objects that hold a chapter's kernels of these names; NAMES are then
# those that remain.
function(tilestep_take_together result chapter list)
  set(objects "")
  set(left ${${list}})
  if(TILESTEP_BACKEND STREQUAL "host" AND NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
    foreach(together ${TILESTEP_TOGETHER})
      string(REPLACE " " ";" names "${together}")
      string(REPLACE " " "-" library "kernels-${together}")
      foreach(name ${left})
        if(name IN_LIST names)
          list(REMOVE_ITEM left ${name})
          list(APPEND objects $<TARGET_OBJECTS:${library}>)
          set_property(GLOBAL APPEND PROPERTY TILESTEP_PARTS_${library} "${chapter} ${name}")
        endif()
      endforeach()
    endforeach()
    list(REMOVE_DUPLICATES objects)
  endif()
  set(${list} ${left} PARENT_SCOPE)
  set(${result} ${objects} PARENT_SCOPE)
endfunction()

# tilestep_compile_together(): the sources of TILESTEP_TOGETHER, once all chapters are there.
function(tilestep_compile_together)
  foreach(together ${TILESTEP_TOGETHER})
    string(REPLACE " " "-" library "kernels-${together}")
    get_property(parts GLOBAL PROPERTY TILESTEP_PARTS_${library})
    if(parts)
      list(REMOVE_DUPLICATES parts)
      tilestep_kernel_library(${library} ${parts})
    endif()
  endforeach()
endfunction()

# tilestep_namespace_of(RESULT CHAPTER): what the chapter's families.hpp is in: tilestep, or a namespace of its own.
function(tilestep_namespace_of result chapter)
  file(STRINGS "${PROJECT_SOURCE_DIR}/chapters/${chapter}/families.hpp" namespace REGEX "^namespace " LIMIT_COUNT 1)
  string(REGEX REPLACE "namespace ([a-z0-9_:]+).*" "\\1" namespace "${namespace}")
  set(${result} ${namespace} PARENT_SCOPE)
endfunction()

# A library of objects from one source of kernels, "CHAPTER NAME" each.
function(tilestep_kernel_library library)
  set(content "// Made by CMake of KERNELS in the chapters' CMakeLists.txt.\n")
  foreach(part ${ARGN})
    string(REPLACE " " ";" words "${part}")
    list(GET words 0 chapter)
    list(GET words 1 name)
    tilestep_namespace_of(TILESTEP_NAMESPACE ${chapter})
    set(TILESTEP_KERNELS ${name})
    set(defined TILESTEP_NAMESPACE TILESTEP_KERNELS)
    if(NOT CMAKE_CURRENT_SOURCE_DIR STREQUAL "${PROJECT_SOURCE_DIR}/chapters/${chapter}")  # not on the include path
      set(TILESTEP_FAMILIES "\"${PROJECT_SOURCE_DIR}/chapters/${chapter}/families.hpp\"")
      list(PREPEND defined TILESTEP_FAMILIES)
    endif()
    string(APPEND content "\n")
    foreach(macro ${defined})
      string(APPEND content "#define ${macro} ${${macro}}\n")
    endforeach()
    string(APPEND content "#include \"${PROJECT_SOURCE_DIR}/common/src/kernels.cpp\"\n")
    foreach(macro ${defined})
      string(APPEND content "#undef ${macro}\n")
    endforeach()
  endforeach()
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${library}.cpp)
  file(GENERATE OUTPUT ${source} CONTENT "${content}")
  tilestep_chapter_objects(${library} ${source})
  set_target_properties(${library} PROPERTIES EXCLUDE_FROM_ALL TRUE)
  tilestep_use_precompiled(${library} tilestep_headers)
endfunction()

# A program of a chapter with these kernels, "CHAPTER NAME ..." each, and kernels_for(), which asks those of the
# chapters in their order. how: TOGETHER as TILESTEP_TOGETHER says, or ALONE.
function(tilestep_link_chapter program how)
  add_executable(${program} ${objects})
  target_link_libraries(${program} PRIVATE tilestep::tilestep tilestep_harness ${CHAPTER_LIBRARIES})
  if(NOT ARGN)
    return()
  endif()
  set(declarations "")
  set(objects_of_kernels "")
  foreach(together ${ARGN})
    string(REPLACE " " ";" names "${together}")
    list(POP_FRONT names chapter)
    tilestep_drop_kernels_of_others(names)
    if(names)
      tilestep_namespace_of(namespace ${chapter})
      list(TRANSFORM names REPLACE ".+"
           "namespace ${namespace} { GemmChoices kernels_\\0(GemmCall const& call)$<SEMICOLON> }"
           OUTPUT_VARIABLE declared)
      list(APPEND declarations ${declared})
      list(APPEND names_of_${chapter} ${names})
      if(how STREQUAL "TOGETHER")
        tilestep_take_together(kernels ${chapter} names)
        list(APPEND objects_of_kernels ${kernels})
      endif()
      if(names)
        tilestep_kernel_objects(kernels ${chapter} ${names})
        list(APPEND objects_of_kernels ${kernels})
      endif()
    endif()
  endforeach()
  list(REMOVE_DUPLICATES objects_of_kernels)
  target_sources(${program} PRIVATE ${objects_of_kernels})
  list(JOIN declarations "\n" declarations)
  set(bodies "")
  foreach(chapter ${CHAPTER_KERNELS_OF})
    if(names_of_${chapter})
      # The newest GPUs run the kernels of their forerunners, too: their own are asked first.
      set(own ${names_of_${chapter}})
      list(FILTER own INCLUDE REGEX "^(hopper|cdna4)_")
      set(names ${own} ${names_of_${chapter}})
      list(REMOVE_DUPLICATES names)
      tilestep_namespace_of(namespace ${chapter})
      list(TRANSFORM names REPLACE ".+" "${namespace}::kernels_\\0(call)" OUTPUT_VARIABLE calls)
      list(JOIN calls ", " calls)
      list(APPEND bodies "together({}, ${calls})")
    endif()
  endforeach()
  if(NOT bodies)  # this backend has none of the chapter's kernels
    set(bodies "{}")
  endif()
  list(POP_BACK bodies last)
  set(body "return ${last}")
  list(REVERSE bodies)
  foreach(before ${bodies})
    string(PREPEND body "if (GemmChoices found = ${before}$<SEMICOLON> !found.empty()) return found$<SEMICOLON>\n  ")
  endforeach()
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${program}-kernels_for.cpp)
  file(GENERATE OUTPUT ${source} CONTENT "// Made by CMake of KERNELS in the chapter's CMakeLists.txt.
#include <tilestep/harness/gemm_choices.hpp>

${declarations}
namespace tilestep {

GemmChoices kernels_for(GemmCall const& call) { ${body}$<SEMICOLON> }

}  // namespace tilestep
")
  tilestep_kernel_sources(${source})
  target_sources(${program} PRIVATE ${source})
  tilestep_use_precompiled(${program} tilestep_headers)
endfunction()

# Leaves those of a list of kernels that GPUs of this tree's backend can run.
function(tilestep_drop_kernels_of_others list)
  set(left ${${list}})
  if(TILESTEP_BACKEND STREQUAL "cuda")
    list(FILTER left EXCLUDE REGEX "^(cdna4?|rdna[34])_")
  endif()
  if(TILESTEP_BACKEND STREQUAL "hip")
    set(left "")
    foreach(part ${${list}})
      foreach(pair "gfx9=^cdna_" "gfx950=^cdna4_" "gfx11=^rdna3_" "gfx12=^rdna4_")
        string(REGEX REPLACE "=.*" "" architecture "${pair}")
        string(REGEX REPLACE "^[^=]*=" "" family "${pair}")
        if("${CMAKE_HIP_ARCHITECTURES}" MATCHES "${architecture}" AND part MATCHES "${family}")
          list(APPEND left ${part})
        endif()
      endforeach()
      if(NOT part MATCHES "^(nvidia|hopper|cdna4?|rdna[34])_")
        list(APPEND left ${part})
      endif()
    endforeach()
  endif()
  set(${list} ${left} PARENT_SCOPE)
endfunction()

# exercises/NN_name/check.cpp includes EXERCISE_HEADER: exercise.hpp in one program, solution.hpp in the second, and in
# the third wrong.hpp, typical wrong answers. Without the tests they are built when `./tutorial exercise` asks for them.
function(tilestep_exercise chapter check)
  cmake_path(GET check PARENT_PATH folder)
  cmake_path(GET folder FILENAME exercise)
  tilestep_kernel_sources(${check})
  if(NOT TILESTEP_SANITIZE)
    set_property(SOURCE ${check} APPEND PROPERTY COMPILE_OPTIONS $<$<CONFIG:Release>:-O0>)
  endif()
  foreach(header exercise solution wrong)
    if(NOT EXISTS ${folder}/${header}.hpp)
      continue()  # its test says what is missing
    endif()
    set(program ${chapter}-${exercise}-${header})
    add_executable(${program} ${check})
    target_include_directories(${program} PRIVATE ${folder} ${CMAKE_CURRENT_SOURCE_DIR})
    target_compile_definitions(${program} PRIVATE EXERCISE_HEADER="${header}.hpp")
    target_link_libraries(${program} PRIVATE tilestep::tilestep tilestep_harness)
    set_target_properties(${program} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/exercises)
    tilestep_use_precompiled(${program} tilestep_run_once_headers)
    if(TILESTEP_TESTS)
      tilestep_tool_test("exercise ${chapter}/${exercise}: ${header}.hpp"
                         exercises.py --check ${header} ${folder} $<TARGET_FILE:${program}>)
    else()
      set_target_properties(${program} PROPERTIES EXCLUDE_FROM_ALL ON)
    endif()
  endforeach()
endfunction()

# One test that runs a program of docs/tools.
function(tilestep_tool_test test tool)
  add_test(NAME ${test} COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/docs/tools/${tool} ${ARGN})
endfunction()
