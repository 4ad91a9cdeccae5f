#pragma once
// The exercise: who stores what of a slice of 8 x 64 sums in f32. A warp stores it in four instructions; lane l stores
// its values v = 0 .. 3 of instruction r at once. This stub gives each lane the sums that mma.sync leaves it, two
// neighbours of a row after the other: four values of a lane are no 16 bytes of a row.

#include <tilestep/layout.hpp>  // Layout

namespace tilestep {

/// (lane, (v, r)) -> m + 8 n, lane 0 .. 31, v 0 .. 3, r 0 .. 3
///   each of the 512 elements belongs to one lane and one value
///   the values v = 0, 1, 2, 3 of an instruction are neighbours of a row, the first at a multiple of 4
///   the 32 lanes of an instruction have two whole rows
using StoresOfWarp =
    Layout<Shape<Shape<_4, _8>, Shape<Shape<_2, _2>, _4>>, Stride<Stride<_16, _1>, Stride<Stride<_8, _64>, _128>>>;

}  // namespace tilestep
