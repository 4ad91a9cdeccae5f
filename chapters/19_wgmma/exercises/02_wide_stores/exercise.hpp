#pragma once
// The exercise: make the store of a warp's sums faster. This stub is right and stores element by element: 64 requests,
// each of which touches eight sectors and fills half of each. Wanted: 16 requests of 16 bytes a lane, whole sectors,
// and at most 32 shuffles.

#include <tilestep/backend/kernel.hpp>   // lane_index, shuffle_xor
#include <tilestep/backend/pointer.hpp>  // GlobalPtr, store

namespace tilestep {

/// Stores a warp's 16 rows and 128 columns of sums, which it has from wgmma. All lanes call it.
/// @param sums  value 4 g + 2 h + v is that of row 8 h + lane / 4 and column 8 g + 2 (lane % 4) + v, with g = 0 .. 15,
///     h = 0, 1 and v = 0, 1
/// @param c  the first element of the 16 x 128, at a multiple of 16 bytes; a row is `stride` elements, a multiple of 4
inline TS_DEVICE void store_sums(float const (&sums)[64], GlobalPtr<float> c, int stride) {
  int const lane = lane_index();
  for (int i = 0; i < 64; ++i) {
    int const g = i / 4, h = i / 2 % 2, v = i % 2;
    c[(8 * h + lane / 4) * stride + 8 * g + 2 * (lane % 4) + v] = sums[i];
  }
}

}  // namespace tilestep
