#pragma once
// The solution: lanes 0 and 1 of four exchange pairs of two neighbouring groups of columns, and so do lanes 2 and 3.
// The even lane then has four neighbours of the first group, the odd one four of the second.

#include <tilestep/backend/kernel.hpp>   // lane_index, shuffle_xor
#include <tilestep/backend/pointer.hpp>  // GlobalPtr, store

namespace tilestep {

/// Stores a warp's 16 rows and 128 columns of sums, which it has from wgmma. All lanes call it.
/// @param sums  value 4 g + 2 h + v is that of row 8 h + lane / 4 and column 8 g + 2 (lane % 4) + v, with g = 0 .. 15,
///     h = 0, 1 and v = 0, 1
/// @param c  the first element of the 16 x 128, at a multiple of 16 bytes; a row is `stride` elements, a multiple of 4
inline TS_DEVICE void store_sums(float const (&sums)[64], GlobalPtr<float> c, int stride) {
  int const lane = lane_index(), odd = lane % 2;
  for (int g = 0; g < 16; g += 2) {
    for (int h = 0; h < 2; ++h) {
      float four[4];
      for (int v = 0; v < 2; ++v) {
        float const mine = sums[4 * (g + odd) + 2 * h + v], given = sums[4 * (g + 1 - odd) + 2 * h + v];
        float const got = shuffle_xor(given, 1);
        four[2 * odd + v] = mine;
        four[2 - 2 * odd + v] = got;
      }
      int const column = 8 * (g + odd) + 4 * (lane % 4 / 2);
      store<4>(c + ((8 * h + lane / 4) * stride + column), four);
    }
  }
}

}  // namespace tilestep
