#include "kernel.hpp"    // OptimizedGemm
#include "families.hpp"  // TileVariant, choices

namespace tilestep {

Choices nvidia_f16(GemmCall const& call) {
  return choices<Product<SM80_16x8x16_F32F16F16F32_TN, half_t>,
                 TileVariant<BlockTile<128, 256, 32, 2, 4>, Route::async, 4>,
                 TileVariant<BlockTile<256, 128, 32, 4, 2>, Route::async, 4>,
                 TileVariant<BlockTile<64, 128, 64, 2, 2, 2>, Route::async, 4>>(call);
}

}  // namespace tilestep
