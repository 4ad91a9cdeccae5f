# How a file that launches kernels is compiled. Used by this build and, once installed, by projects that find tilestep.
set(TILESTEP_LANGUAGE_host CXX)
set(TILESTEP_LANGUAGE_cuda CUDA)
set(TILESTEP_LANGUAGE_hip HIP)

# tilestep_kernel_sources(FILE...): these sources launch kernels, so the backend's language compiles them.
# Kernels are optimised even in Debug trees: the virtual GPU is ten times slower at -O0.
function(tilestep_kernel_sources)
  set_source_files_properties(${ARGN} PROPERTIES LANGUAGE ${TILESTEP_LANGUAGE_${TILESTEP_BACKEND}})
  if(TILESTEP_BACKEND STREQUAL "host")
    set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS $<$<CONFIG:Debug>:-O2>)
  endif()
endfunction()
