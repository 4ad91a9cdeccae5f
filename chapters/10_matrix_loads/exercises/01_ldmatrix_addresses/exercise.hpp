#pragma once
// The exercise: B lies in shared memory as it does in layout nn, a row for each k. One ldmatrix.x4.trans fills B of two
// m16n8k16. Say where each lane points.

#include <tilestep/layout.hpp>  // Layout

namespace tilestep {

/// Elements from one row of the tile to the next: 16 columns, and 8 that stay unused.
using Pitch = _24;

/// lane -> offset of the 8 elements that it points at, in elements. Element (k,n) of the tile has the offset 24 k + n.
///   lanes 0-7 give the rows of the first 8 x 8 matrix, lanes 8-15 of the second, and so on
///   the instructions want the matrices in this order: k 0-7 and k 8-15 of n 0-7, then k 0-7 and k 8-15 of n 8-15
/// Written here is what a tile would want that has a row for each n.
using RowOfLane = Layout<Shape<_8, _2, _2>, Stride<Pitch, _8, Int<8 * Pitch::value>>>;

}  // namespace tilestep
