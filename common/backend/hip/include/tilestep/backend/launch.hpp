#pragma once
// Starts a kernel: `launch(MyKernel{}, blocks, params)`. A kernel is a struct with `threads`, `Shared` and a call
// operator; the function that an AMD GPU starts is made from it here.

#include <tilestep/backend/kernel.hpp>             // NoShared
#include <tilestep/backend/kernel_properties.hpp>  // Argument, shared_bytes, resident_blocks

#include <cstdint>      // std::int64_t
#include <type_traits>  // std::is_empty_v

namespace tilestep::detail {

// More static shared memory than this does not compile for most targets; a launch may give more where the target has
// more.
inline constexpr std::int64_t most_static_shared_bytes = 64 * 1024;

template <class Kernel>
inline constexpr bool shared_is_dynamic = shared_bytes<Kernel> > most_static_shared_bytes;

#if defined(__HIP__)
// The compiler takes warps on each of the four SIMD units, not blocks that are resident.
template <class Kernel, class Params>
__global__ void __launch_bounds__(Kernel::threads, (resident_blocks<Kernel>() * Kernel::threads + 255) / 256)
    kernel_entry(Argument<Params> const argument) {
  using Shared = typename Kernel::Shared;
  if constexpr (std::is_empty_v<Shared>) {
    Shared none;
    [[clang::always_inline]] Kernel{}(none, argument.params);
  } else if constexpr (shared_is_dynamic<Kernel>) {
    alignas(128) extern __shared__ unsigned char bytes[];
    [[clang::always_inline]] Kernel{}(*reinterpret_cast<Shared*>(bytes), argument.params);
  } else {
    __shared__ Shared shared;
    [[clang::always_inline]] Kernel{}(shared, argument.params);
  }
}
#endif

}  // namespace tilestep::detail

#include <tilestep/backend/gpu_launch.hpp>  // launch
