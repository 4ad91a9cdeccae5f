#pragma once
// Wrong answers to the exercise, one at a time.
// 1. The strides of a tile without a swizzle, as in the stub. Says: Multiply along K: C(
// 2. Every step begins at the start of the tile. Says: Multiply along K: C(
// 3. A step along K is 16 bytes, not 16 elements. Says: Multiply along K: C(
// 4. A step is 32 bytes along M and N, too. Says: Multiply along M and N: C(
// 5. The next 64 of X begin after eight lines. Says: Multiply along M and N: C(

#include <tilestep/backend/wgmma.hpp>         // tile_descriptor
#include <tilestep/harness/wrong_answer.hpp>  // wrong_answer

namespace tilestep {

/// The descriptor of the elements 16 step .. 16 step + 15 along K of a tile (X,64) of 16-bit elements, swizzled in
/// lines of 128 bytes.
/// @param step  0 .. 3
template <Major MAJOR, class T>
TS_DEVICE TileDescriptor descriptor_of_step(SharedPtr<T> tile, int step) {
  bool const along_k = MAJOR == Major::k;
  int leading_bytes = along_k ? 16 : 64 * 128, stride_bytes = 8 * 128, begin = step * (along_k ? 16 * 2 : 16 * 128);
  if (wrong_answer(1)) leading_bytes = 16, stride_bytes = 128;
  if (wrong_answer(2)) begin = 0;
  if (wrong_answer(3) && along_k) begin = step * 16;
  if (wrong_answer(4)) begin = step * 32;
  if (wrong_answer(5) && !along_k) leading_bytes = 8 * 128;
  return tile_descriptor(tile, leading_bytes, stride_bytes, TileSwizzle::bytes_128).plus(begin);
}

}  // namespace tilestep
