#pragma once
// Wrong answers to the exercise, one at a time.
// 1. Asks whether x is inside: NaN becomes a bound. Says: nan became
// 2. Knows the lower bound alone. Says: C in f32, clipped to 0 .. 6: 7 became 7 and should be 6
// 3. Always clips to 0 .. 6, as ReLU6. Says: clipped to -20 .. 20
// 4. Clips the magnitude, and keeps the sign. Says: clipped to 0 .. 6: -11 became -6 and should be 0

#include <tilestep/backend/macros.hpp>        // TS_HOST_DEVICE, TS_INLINE
#include <tilestep/harness/wrong_answer.hpp>  // wrong_answer

namespace tilestep {

/// Stands where an Epilogue has its Activation: the epilogue calls activate(clip, x) for each element.
struct Clip {
  float low, high;
};

/// @return the number of low .. high that is nearest to x; NaN stays NaN
/// @pre low <= high
TS_HOST_DEVICE TS_INLINE float activate(Clip const& clip, float x) {
  if (wrong_answer(1)) return x > clip.low ? (x < clip.high ? x : clip.high) : clip.low;
  if (wrong_answer(2)) return x < clip.low ? clip.low : x;
  if (wrong_answer(3)) return x < 0 ? 0 : x > 6 ? 6 : x;
  if (wrong_answer(4)) return x < -clip.high ? -clip.high : x > clip.high ? clip.high : x;
  return x < clip.low ? clip.low : x > clip.high ? clip.high : x;
}

}  // namespace tilestep
