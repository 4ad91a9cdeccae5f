#pragma once
// Wrong answers to the exercise, one at a time.
// 1. As for a tile with a row for each n, as in the stub. Says: lane 0, lower half of register 1: B(0,8), and mma wants
// B(8,0)
// 2. Rows of 16 elements, without the 8 between them. Says: uninitialised read
// 3. All lanes point at rows of the first two matrices. Says: lane 0, lower half of register 2: B(0,0), and mma wants
// B(0,8)
// 4. A lane points at a column: one element on for each k. Says: misaligned

#include <tilestep/core.hpp>                  // _24
#include <tilestep/harness/wrong_answer.hpp>  // wrong_answer

namespace tilestep {

/// Elements from one row of the tile to the next: 16 columns, and 8 that stay unused.
using Pitch = _24;

/// lane -> offset of the 8 elements that it points at, in elements. Element (k,n) of the tile has the offset 24 k + n.
///   lanes 0-7 give the rows of the first 8 x 8 matrix, lanes 8-15 of the second, and so on
///   the instructions want the matrices in this order: k 0-7 and k 8-15 of n 0-7, then k 0-7 and k 8-15 of n 8-15
struct RowOfLane {
  int operator()(int lane) const {
    int const k = lane % 8, second = lane / 8 % 2, third = lane / 16;
    int const pitch = wrong_answer(2) ? 16 : Pitch::value;
    if (wrong_answer(1)) return k * pitch + 8 * second + 8 * third * pitch;
    if (wrong_answer(4)) return k + 8 * second * pitch + 8 * third;
    return (k + 8 * second) * pitch + (wrong_answer(3) ? 0 : 8 * third);
  }
};

}  // namespace tilestep
