#pragma once
// Functions that a GPU computes in one instruction, nearly: how nearly is said with each. The virtual GPU takes the
// CPU's, which are nearer.

#include <tilestep/backend/macros.hpp>  // TS_HOST_DEVICE, TS_INLINE

#include <cmath>  // std::exp2

namespace tilestep {

/// 2^x, with a relative error of at most 2^-22 on any GPU; infinity where it is too large, 0 where it is too small.
TS_HOST_DEVICE TS_INLINE float exp2_approx(float x) { return std::exp2(x); }

/// 1 / x, with a relative error of at most 2^-23 on any GPU; 0 where it would be subnormal.
TS_HOST_DEVICE TS_INLINE float reciprocal_approx(float x) { return 1 / x; }

}  // namespace tilestep
