#pragma once
// Values that stay in registers, where a compiler would rather compute them again.

#include <tilestep/backend/macros.hpp>  // TS_DEVICE, TS_INLINE

namespace tilestep {

/// The same value, but the compiler cannot see how it was computed, so it keeps it in a register. Otherwise nvcc
/// reloads strides from the kernel's parameters and multiplies them again wherever they are used.
TS_DEVICE TS_INLINE long long opaque(long long value) {
#if defined(__CUDA_ARCH__)
  asm volatile("" : "+l"(value));
#endif
  return value;
}

}  // namespace tilestep
