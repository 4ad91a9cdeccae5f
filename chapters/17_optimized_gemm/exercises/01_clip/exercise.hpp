#pragma once
// The exercise: an activation of your own. Networks for small devices clip: what is below one bound becomes that bound,
// what is above another becomes the other; with 0 and 6 it is called ReLU6. This stub knows one bound, and turns NaN
// into a number that nobody computed.

#include <tilestep/backend/macros.hpp>  // TS_HOST_DEVICE, TS_INLINE

namespace tilestep {

/// Stands where an Epilogue has its Activation: the epilogue calls activate(clip, x) for each element.
struct Clip {
  float low, high;
};

/// @return the number of low .. high that is nearest to x; NaN stays NaN
/// @pre low <= high
TS_HOST_DEVICE TS_INLINE float activate(Clip const& clip, float x) { return x > clip.low ? x : clip.low; }

}  // namespace tilestep
