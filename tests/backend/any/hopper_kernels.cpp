// Kernels of Hopper's own instructions, for a compiler that only looks at their device code.

#include "hopper_kernels.hpp"  // the kernels

namespace hopper_test {

void launch_hopper_kernels() {
  launch(Ring<256, 3, 2, 2>{}, 2, RingParams{});
  launch(TileProduct<128, DType::f16, Major::k, Major::mn, TileSwizzle::bytes_128, true>{}, 1, TileParams{});
  launch(FilledProduct<64, Major::mn, Major::k, TileSwizzle::bytes_64>{}, 1, TileParams{});
}

}  // namespace hopper_test
