# The backend is chosen before any language is enabled, because CMake wants the architectures first.
if(NOT TILESTEP_BACKEND MATCHES "^(host|cuda|hip)$")
  message(FATAL_ERROR "TILESTEP_BACKEND is '${TILESTEP_BACKEND}': choose host, cuda or hip")
endif()

if(TILESTEP_BACKEND STREQUAL "cuda")
  # 80 as machine code and as PTX, which the driver of any newer GPU compiles when a program starts; Hopper's own
  # instructions need 90a, and a Hopper GPU is sm80 where that is missing. Machine code for one more architecture is an
  # entry more: "80;90a-real;120-real".
  set(CMAKE_CUDA_ARCHITECTURES "80;90a-real" CACHE STRING "NVIDIA architectures to compile for")
elseif(TILESTEP_BACKEND STREQUAL "hip")
  set(CMAKE_HIP_ARCHITECTURES "gfx90a;gfx942;gfx1100;gfx1201" CACHE STRING "AMD architectures to compile for")
endif()

# A macro: enable_language must run in the caller's directory scope.
macro(tilestep_enable_backend)
  if(TILESTEP_BACKEND STREQUAL "cuda")
    enable_language(CUDA)
    find_package(CUDAToolkit REQUIRED)
    if(NOT "cuda_std_20" IN_LIST CMAKE_CUDA_COMPILE_FEATURES)  # CMake 3.25 does not know that nvcc has C++20
      list(APPEND CMAKE_CUDA_COMPILE_FEATURES cuda_std_20)
      list(APPEND CMAKE_CUDA20_COMPILE_FEATURES cuda_std_20)
      set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
      set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
    endif()
    set(CMAKE_CUDA_STANDARD 20)
  elseif(TILESTEP_BACKEND STREQUAL "hip")
    enable_language(HIP)
    find_package(hip REQUIRED CONFIG)
    set(CMAKE_HIP_STANDARD 20)
  endif()
endmacro()
