#pragma once
// The solution: 16 lanes have four neighbours each of a row, the other 16 lanes those of the row below; the next
// instruction is two rows further down.

#include <tilestep/layout.hpp>  // Layout

namespace tilestep {

/// (lane, (v, r)) -> m + 8 n, lane 0 .. 31, v 0 .. 3, r 0 .. 3
///   each of the 512 elements belongs to one lane and one value
///   the values v = 0, 1, 2, 3 of an instruction are neighbours of a row, the first at a multiple of 4
///   the 32 lanes of an instruction have two whole rows
using StoresOfWarp = Layout<Shape<Shape<_16, _2>, Shape<_4, _4>>, Stride<Stride<_32, _1>, Stride<_8, _2>>>;

}  // namespace tilestep
