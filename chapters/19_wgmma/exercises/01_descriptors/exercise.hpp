#pragma once
// The exercise: the descriptors of a tile's four steps along K, by hand. The ones below are those of a tile without a
// swizzle, and of the first step alone.

#include <tilestep/backend/wgmma.hpp>  // tile_descriptor

namespace tilestep {

/// The descriptor of the elements 16 step .. 16 step + 15 along K of a tile (X,64) of 16-bit elements, swizzled in
/// lines of 128 bytes. Wanted: right for both modes.
///   Major::k   a line is one x and all 64 of K; one x after the other
///   Major::mn  a line is one k and 64 of X; one k after the other, and behind all 64 of them the next 64 of X
/// @param step  0 .. 3
/// @par Source  TileDescriptor in wgmma_instruction.hpp says what leading and stride mean
template <Major MAJOR, class T>
TS_DEVICE TileDescriptor descriptor_of_step(SharedPtr<T> tile, [[maybe_unused]] int step) {
  int const leading_bytes = 16, stride_bytes = 128, begin = 0;
  return tile_descriptor(tile, leading_bytes, stride_bytes, TileSwizzle::bytes_128).plus(begin);
}

}  // namespace tilestep
