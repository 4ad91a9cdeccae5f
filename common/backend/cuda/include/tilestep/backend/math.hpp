#pragma once
// Functions that the special function unit computes in one instruction, nearly: how nearly is said with each.

#include <tilestep/backend/macros.hpp>  // TS_HOST_DEVICE, TS_INLINE

#include <cmath>  // std::exp2

namespace tilestep {

/// 2^x, with a relative error of at most 2^-22; infinity where it is too large, 0 where it is too small or subnormal.
/// @par Source  PTX ISA, ex2; CUDA C++ Programming Guide, mathematical functions: exp2f, which is this instruction, is
///     within 2 ulp
TS_HOST_DEVICE TS_INLINE float exp2_approx(float x) {
#if defined(__CUDA_ARCH__)
  float result;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
#else
  return std::exp2(x);
#endif
}

/// 1 / x, with a relative error of at most 2^-23; 0 where it would be subnormal.
/// @par Source  PTX ISA, rcp: approx is within 1 ulp
TS_HOST_DEVICE TS_INLINE float reciprocal_approx(float x) {
#if defined(__CUDA_ARCH__)
  float result;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
#else
  return 1 / x;
#endif
}

}  // namespace tilestep
