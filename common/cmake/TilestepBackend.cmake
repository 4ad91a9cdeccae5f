# The backend is chosen before any language is enabled, because CMake wants the architectures first.
if(NOT TILESTEP_BACKEND MATCHES "^(host|cuda|hip)$")
  message(FATAL_ERROR "TILESTEP_BACKEND is '${TILESTEP_BACKEND}': choose host, cuda or hip")
endif()

if(TILESTEP_BACKEND STREQUAL "cuda")
  set(CMAKE_CUDA_ARCHITECTURES "80;90a" CACHE STRING "NVIDIA architectures to compile for")
elseif(TILESTEP_BACKEND STREQUAL "hip")
  set(CMAKE_HIP_ARCHITECTURES "gfx90a;gfx942;gfx1100;gfx1201" CACHE STRING "AMD architectures to compile for")
endif()

# A macro: enable_language must run in the caller's directory scope.
macro(tilestep_enable_backend)
  if(TILESTEP_BACKEND STREQUAL "cuda")
    enable_language(CUDA)
    find_package(CUDAToolkit REQUIRED)
  elseif(TILESTEP_BACKEND STREQUAL "hip")
    enable_language(HIP)
    find_package(hip REQUIRED CONFIG)
  endif()
endmacro()
