#pragma once
// The solution: eight lines of 128 bytes are 1024, whatever the mode. Along K a step is 16 elements of the line, else
// it is 16 lines.

#include <tilestep/backend/wgmma.hpp>  // tile_descriptor

namespace tilestep {

/// The descriptor of the elements 16 step .. 16 step + 15 along K of a tile (X,64) of 16-bit elements, swizzled in
/// lines of 128 bytes. Right for both modes.
///   Major::k   a line is one x and all 64 of K; one x after the other
///   Major::mn  a line is one k and 64 of X; one k after the other, and behind all 64 of them the next 64 of X
/// @param step  0 .. 3
/// @par Source  TileDescriptor in wgmma_instruction.hpp says what leading and stride mean
template <Major MAJOR, class T>
TS_DEVICE TileDescriptor descriptor_of_step(SharedPtr<T> tile, int step) {
  bool const along_k = MAJOR == Major::k;
  int const leading_bytes = along_k ? 16 : 64 * 128;  // to the next 64 of X; along K a swizzled line is one piece
  int const stride_bytes = 8 * 128;                   // to the next eight lines
  int const begin = step * (along_k ? 16 * 2 : 16 * 128);
  return tile_descriptor(tile, leading_bytes, stride_bytes, TileSwizzle::bytes_128).plus(begin);
}

}  // namespace tilestep
