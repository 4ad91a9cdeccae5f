# Settings shared by every target of the project.
include(TilestepKernels)
include(TilestepCompilers)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Debug or RelWithDebInfo" FORCE)
endif()
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)

# Warnings are errors where the project is checked: .ci/run sets the variable of this name. A compiler that it does not
# run may warn of more, and should build all the same.
option(TILESTEP_WERROR "Take warnings for errors" "$ENV{TILESTEP_WERROR}")
add_library(tilestep_warnings INTERFACE)
target_compile_options(tilestep_warnings INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wshadow>
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict>  # g++ 12 reports "text" + std::string (its bug 105651)
  $<$<COMPILE_LANGUAGE:HIP>:-Wall -Wextra>)
if(TILESTEP_WERROR)
  target_compile_options(tilestep_warnings INTERFACE
    $<$<COMPILE_LANGUAGE:CXX,HIP>:-Werror> $<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings>)
endif()

if(TILESTEP_SANITIZE)
  add_compile_options(-fsanitize=${TILESTEP_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=${TILESTEP_SANITIZE})
endif()

# LLVM's linker makes a program in half the time, and there are hundreds.
if(TILESTEP_BACKEND STREQUAL "host" AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  include(CheckLinkerFlag)
  check_linker_flag(CXX -fuse-ld=lld TILESTEP_LLD)
  if(TILESTEP_LLD)
    add_link_options(-fuse-ld=lld)
  endif()
endif()

# tilestep_sanitize_lightly(FILE...): a kernel is one long function after inlining. Watching its variables and each
# pointer takes five times as long to compile; what is allocated, every array bound and every overflow stay watched. The
# virtual GPU and what tests it are watched in full, but for sources of many kernels; options and records are watched
# like kernels, as what CLI11 and JSON are made of compiles as slowly.
function(tilestep_sanitize_lightly)
  if(TILESTEP_SANITIZE)
    set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_OPTIONS $<$<CXX_COMPILER_ID:GNU>:--param=asan-stack=0>
                 $<$<CXX_COMPILER_ID:Clang>:SHELL:-mllvm -asan-stack=0>
                 -fno-sanitize=null,alignment,object-size,vptr,pointer-overflow)
  endif()
endfunction()
