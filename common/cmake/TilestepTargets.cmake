# Settings and functions shared by every target of the project.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CUDA_STANDARD 20)
set(CMAKE_HIP_STANDARD 20)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Debug or RelWithDebInfo" FORCE)
endif()
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)

add_library(tilestep_warnings INTERFACE)
target_compile_options(tilestep_warnings INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wshadow -Werror>
  $<$<COMPILE_LANGUAGE:HIP>:-Wall -Wextra -Werror>
  $<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings>)

# tilestep_kernel_sources(FILE...): these sources launch kernels, so the backend's language compiles them.
# Kernels are optimised even in Debug trees: the virtual GPU is ten times slower at -O0.
function(tilestep_kernel_sources)
  set_source_files_properties(${ARGN} PROPERTIES LANGUAGE ${TILESTEP_LANGUAGE})
  if(TILESTEP_BACKEND STREQUAL "host")
    set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS $<$<CONFIG:Debug>:-O2>)
  endif()
endfunction()

# add_chapter(NAME ADDS "...") [BUILDS_ON NAME]): the chapter's executable from main.cpp (and figures.cpp), in the order of
# chapters/CMakeLists.txt.
function(add_chapter name)
  cmake_parse_arguments(CHAPTER "" "ADDS;BUILDS_ON" "SOURCES" ${ARGN})
  set(sources main.cpp ${CHAPTER_SOURCES})
  if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/figures.cpp)
    list(APPEND sources figures.cpp)
  endif()
  add_executable(${name} ${sources})
  tilestep_kernel_sources(${sources})
  target_link_libraries(${name} PRIVATE tilestep::tilestep tilestep_harness tilestep_warnings)
  set_property(GLOBAL APPEND PROPERTY TILESTEP_CHAPTERS ${name})
  set_property(GLOBAL PROPERTY TILESTEP_CHAPTER_${name}_ADDS "${CHAPTER_ADDS}")
  set_property(GLOBAL PROPERTY TILESTEP_CHAPTER_${name}_BUILDS_ON "${CHAPTER_BUILDS_ON}")
endfunction()
