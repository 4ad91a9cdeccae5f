#pragma once
// Wrong answers to the exercise, one at a time.
// 1. Stores pairs, without an exchange. Says: store requests: 128, at most 64 are allowed
// 2. Gives away the pairs that it keeps. Says: C(0,2) is
// 3. Exchanges with the lane after the next. Says: C(0,2) is
// 4. An odd lane puts its own pair first. Says: C(0,8) is

#include <tilestep/backend/kernel.hpp>   // lane_index, shuffle_xor
#include <tilestep/backend/pointer.hpp>  // GlobalPtr, store
#include <tilestep/harness/wrong_answer.hpp>  // wrong_answer

namespace tilestep {

/// Stores a warp's 16 rows and 128 columns of sums, which it has from wgmma. All lanes call it.
/// @param sums  value 4 g + 2 h + v is that of row 8 h + lane / 4 and column 8 g + 2 (lane % 4) + v, with g = 0 .. 15,
///     h = 0, 1 and v = 0, 1
/// @param c  the first element of the 16 x 128, at a multiple of 16 bytes; a row is `stride` elements, a multiple of 4
inline TS_DEVICE void store_sums(float const (&sums)[64], GlobalPtr<float> c, int stride) {
  if (wrong_answer(1)) {
    for (int i = 0; i < 64; i += 2)
      store<2>(c + ((8 * (i / 2 % 2) + lane_index() / 4) * stride + 8 * (i / 4) + 2 * (lane_index() % 4)), sums + i);
    return;
  }
  int const lane = lane_index(), odd = lane % 2;
  for (int g = 0; g < 16; g += 2) {
    for (int h = 0; h < 2; ++h) {
      float four[4];
      for (int v = 0; v < 2; ++v) {
        float const mine = sums[4 * (g + odd) + 2 * h + v], given = sums[4 * (g + 1 - odd) + 2 * h + v];
        float const got = shuffle_xor(wrong_answer(2) ? mine : given, wrong_answer(3) ? 2 : 1);
        bool const behind = odd && !wrong_answer(4);
        four[v] = behind ? got : mine;
        four[2 + v] = behind ? mine : got;
      }
      int const column = 8 * (g + odd) + 4 * (lane % 4 / 2);
      store<4>(c + ((8 * h + lane / 4) * stride + column), four);
    }
  }
}

}  // namespace tilestep
