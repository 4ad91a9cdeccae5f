#pragma once
// The solution: every comparison with NaN is false, so each asks whether x is outside, and what is left is x itself.

#include <tilestep/backend/macros.hpp>  // TS_HOST_DEVICE, TS_INLINE

namespace tilestep {

/// Stands where an Epilogue has its Activation: the epilogue calls activate(clip, x) for each element.
struct Clip {
  float low, high;
};

/// @return the number of low .. high that is nearest to x; NaN stays NaN
/// @pre low <= high
TS_HOST_DEVICE TS_INLINE float activate(Clip const& clip, float x) {
  return x < clip.low ? clip.low : x > clip.high ? clip.high : x;
}

}  // namespace tilestep
