#pragma once
// Values that stay in registers, where a compiler would rather compute them again.

#include <tilestep/backend/macros.hpp>  // TS_DEVICE, TS_INLINE

namespace tilestep {

/// The same number, of which the compiler does not know where it comes from. nvcc loads strides again from a kernel's parameters, and multiplies them
/// again, wherever they are used.
TS_DEVICE TS_INLINE long long opaque(long long value) {
#if defined(__CUDA_ARCH__)
  asm volatile("" : "+l"(value));
#endif
  return value;
}

}  // namespace tilestep
