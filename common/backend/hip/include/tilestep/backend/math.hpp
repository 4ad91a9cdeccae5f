#pragma once
// Functions that the transcendental unit computes in one instruction, nearly: how nearly is said with each.

#include <tilestep/backend/macros.hpp>  // TS_HOST_DEVICE, TS_INLINE

namespace tilestep {

/// 2^x, with a relative error of at most 2^-22; infinity where it is too large, 0 where it is too small or subnormal.
/// @par Source  AMD ISA manuals of CDNA 3, RDNA 3 and RDNA 4, V_EXP_F32: 1 ULP
TS_HOST_DEVICE TS_INLINE float exp2_approx(float x) {
#if defined(__HIP_DEVICE_COMPILE__)
  return __builtin_amdgcn_exp2f(x);
#else
  return __builtin_exp2f(x);
#endif
}

/// 1 / x, with a relative error of at most 2^-23; 0 where it would be subnormal.
/// @par Source  AMD ISA manuals of CDNA 3, RDNA 3 and RDNA 4, V_RCP_F32: 1 ULP
TS_HOST_DEVICE TS_INLINE float reciprocal_approx(float x) {
#if defined(__HIP_DEVICE_COMPILE__)
  return __builtin_amdgcn_rcpf(x);
#else
  return 1 / x;
#endif
}

}  // namespace tilestep
