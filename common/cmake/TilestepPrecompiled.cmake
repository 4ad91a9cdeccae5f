# What most sources read first is read once: that saves a second of each. For clang in Release trees, where all sources
# of a target are compiled alike; every header must still include what it uses, as g++ and the other trees find out.
set(TILESTEP_PRECOMPILED OFF)
if(TILESTEP_BACKEND STREQUAL "host" AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_BUILD_TYPE STREQUAL "Release"
   AND NOT TILESTEP_SANITIZE)
  set(TILESTEP_PRECOMPILED ON)
endif()

# tilestep_precompile(NAME LIBRARIES TARGET... HEADERS <header>... [OPTIONS -flag...]): a set of headers that
# tilestep_use_precompiled() takes; with OPTIONS only sources that have the same.
function(tilestep_precompile name)
  cmake_parse_arguments(PARSE_ARGV 1 PCH "" "" "LIBRARIES;HEADERS;OPTIONS")
  if(NOT TILESTEP_PRECOMPILED)
    return()
  endif()
  file(GENERATE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp CONTENT "// Nothing but the headers.\n")
  add_library(${name} OBJECT ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
  target_compile_options(${name} PRIVATE ${PCH_OPTIONS})
  target_link_libraries(${name} PRIVATE ${PCH_LIBRARIES} tilestep_warnings)
  target_precompile_headers(${name} PRIVATE ${PCH_HEADERS})
endfunction()

# tilestep_use_precompiled(TARGET NAME): the target's sources begin with these headers.
function(tilestep_use_precompiled target name)
  if(TILESTEP_PRECOMPILED)
    target_precompile_headers(${target} REUSE_FROM ${name})
  endif()
endfunction()

# tilestep_together(RESULT NAME FILE...): these sources, for the virtual GPU as one that includes them, since what they
# include takes the compiler longer than they do. A Debug tree has each by itself. Names without a namespace's must
# differ in all of them.
function(tilestep_together result name)
  if(NOT TILESTEP_BACKEND STREQUAL "host" OR CMAKE_BUILD_TYPE STREQUAL "Debug")
    set(${result} ${ARGN} PARENT_SCOPE)
    return()
  endif()
  list(TRANSFORM ARGN REPLACE ".+" "#include \"\\0\"\n" OUTPUT_VARIABLE content)
  list(JOIN content "" content)
  file(GENERATE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp CONTENT "${content}")
  set(${result} ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp PARENT_SCOPE)
endfunction()
