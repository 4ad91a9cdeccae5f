#pragma once
// Starts a kernel: `launch(MyKernel{}, blocks, params)`. A kernel is a struct with `threads`, `Shared` and a call
// operator; the function that an NVIDIA GPU starts is made from it here.

#include <tilestep/backend/kernel.hpp>             // NoShared
#include <tilestep/backend/kernel_properties.hpp>  // Argument, shared_bytes, resident_blocks

#include <cstdint>      // std::int64_t
#include <type_traits>  // std::is_empty_v

namespace tilestep::detail {

// More static shared memory than this does not compile; a launch may give more.
inline constexpr std::int64_t most_static_shared_bytes = 48 * 1024;

template <class Kernel>
inline constexpr bool shared_is_dynamic = shared_bytes<Kernel> > most_static_shared_bytes;

// Code for another GPU than the kernel's `only_on` holds no instruction of it: launch() does not start it there.
#if defined(__CUDA_ARCH__) && !defined(__CUDA_ARCH_FEAT_SM90_ALL)
template <class Kernel>
inline constexpr bool is_compiled = only_target<Kernel>() == nullptr;
#else
template <class Kernel>
inline constexpr bool is_compiled = true;
#endif

#if defined(__CUDACC__)
template <class Kernel, class Params>
__global__ void __launch_bounds__(Kernel::threads, resident_blocks<Kernel>())
    kernel_entry(__grid_constant__ Argument<Params> const argument) {
  using Shared = typename Kernel::Shared;
  if constexpr (!is_compiled<Kernel>) {
    __trap();
  } else if constexpr (std::is_empty_v<Shared>) {
    Shared none;
    Kernel{}(none, argument.params);
  } else if constexpr (shared_is_dynamic<Kernel>) {
    // tiles that TMA swizzles begin at such a multiple
    extern __shared__ __align__(1024) unsigned char bytes[];
    Kernel{}(*reinterpret_cast<Shared*>(bytes), argument.params);
  } else {
    __shared__ Shared shared;
    Kernel{}(shared, argument.params);
  }
}
#endif

}  // namespace tilestep::detail

#include <tilestep/backend/gpu_launch.hpp>  // launch
