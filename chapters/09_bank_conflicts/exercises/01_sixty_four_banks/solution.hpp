#pragma once
// The solution: 64 banks are 256 bytes, and four rows of 64 bytes lie side by side in them. So every fourth row takes
// another chunk.

#include <tilestep/layout.hpp>  // Swizzle, composition

namespace tilestep {

/// (MN,32) -> offset of the element in elements of 16 bits.
///   lane l of 32 reads the 16 bytes of row l that have the same place in each row
///   lanes 0-3, 12-15, 20-23 and 24-27 read together, then 4-7, 8-11, 16-19 and 28-31
///   each of the 64 banks gives 4 bytes to one of them
///   eight neighbouring threads write two rows, four vectors each, to 32 banks
/// The rows of the first phase, divided by 4, are 0, 3, 5, 6: all different modulo 4. Those of the second are 1, 2, 4,
/// 7.
template <int MN>
using SmemTile = decltype(composition(Swizzle<2, 3, 4>{}, Layout<Shape<Int<MN>, _32>, Stride<_32, _1>>{}));

}  // namespace tilestep
