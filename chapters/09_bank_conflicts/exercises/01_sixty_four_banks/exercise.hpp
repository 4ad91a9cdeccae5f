#pragma once
// The exercise: gfx950 has 64 banks for reads of 16 bytes, and other phases. The other targets' swizzle was made for
// 32. Find one that leaves no conflict, without a byte more than the tile has.

#include <tilestep/layout.hpp>  // Swizzle, composition

namespace tilestep {

/// (MN,32) -> offset of the element in elements of 16 bits.
///   lane l of 32 reads the 16 bytes of row l that have the same place in each row
///   lanes 0-3, 12-15, 20-23 and 24-27 read together, then 4-7, 8-11, 16-19 and 28-31
///   each of the 64 banks gives 4 bytes to one of them
///   eight neighbouring threads write two rows, four vectors each, to 32 banks
/// Written here is the swizzle for 32 banks.
template <int MN>
using SmemTile = decltype(composition(Swizzle<2, 3, 3>{}, Layout<Shape<Int<MN>, _32>, Stride<_32, _1>>{}));

}  // namespace tilestep
