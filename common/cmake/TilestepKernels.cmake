# How a file that launches kernels is compiled. Used by this build and, once installed, by projects that find tilestep.
set(TILESTEP_LANGUAGE_host CXX)
set(TILESTEP_LANGUAGE_cuda CUDA)
set(TILESTEP_LANGUAGE_hip HIP)

# Kernels get tables of their lines, and no other debug information: the virtual GPU's reports then name lines.
set(TILESTEP_LINE_TABLES $<$<CXX_COMPILER_ID:Clang,AppleClang>:-gline-tables-only> $<$<CXX_COMPILER_ID:GNU>:-g1>)

# tilestep_kernel_sources(FILE...): these sources launch kernels, so the backend's language compiles them.
# Kernels are optimised even in Debug trees: the virtual GPU is ten times slower at -O0.
function(tilestep_kernel_sources)
  set_source_files_properties(${ARGN} PROPERTIES LANGUAGE ${TILESTEP_LANGUAGE_${TILESTEP_BACKEND}})
  if(TILESTEP_BACKEND STREQUAL "host")
    set(options $<$<CONFIG:Debug>:-O2>)
    if(TILESTEP_LINES)
      list(APPEND options ${TILESTEP_LINE_TABLES})
    endif()
    set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS "${options}")
  endif()
endfunction()
