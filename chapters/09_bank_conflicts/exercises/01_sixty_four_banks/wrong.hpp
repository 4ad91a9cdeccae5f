#pragma once
// Wrong answers to the exercise, one at a time.
// 1. The swizzle for 32 banks, as in the stub. Says: wavefronts that read the tile: 128, at most 64
// 2. Every row takes another chunk. Says: wavefronts that read the tile: 256, at most 64
// 3. A gap of 16 bytes after each row. Says: wavefronts that write the tile: 256, at most 128
// 4. Eight orders for a row of four chunks. Says: share offset

#include <tilestep/harness/wrong_answer.hpp>  // wrong_answer

namespace tilestep {

/// (MN,32) -> offset of the element in elements of 16 bits.
template <int MN>
struct SmemTile {
  int operator()(int row, int k) const {
    int const chunk = k / 8, element = k % 8;
    if (wrong_answer(1)) return 32 * row + 8 * (chunk ^ (row / 2 % 4)) + element;
    if (wrong_answer(2)) return 32 * row + 8 * (chunk ^ (row % 4)) + element;
    if (wrong_answer(3)) return 40 * row + k;
    if (wrong_answer(4)) return 32 * row + 8 * (chunk ^ (row / 4 % 8)) + element;
    return 32 * row + 8 * (chunk ^ (row / 4 % 4)) + element;
  }
};

}  // namespace tilestep
