#include "kernel.hpp"    // OptimizedGemm
#include "families.hpp"  // TileVariant, choices

namespace tilestep {

Choices nvidia_f16_few(GemmCall const& call) {
  return choices<Product<SM80_16x8x16_F32F16F16F32_TN, half_t>,
                 SkinnyVariant<BlockTile<16, 64, 64, 1, 4, 2>, Route::async, 8>,
                 SkinnyVariant<BlockTile<32, 64, 64, 2, 2, 2>, Route::async, 8>,
                 SkinnyVariant<BlockTile<64, 64, 128, 2, 2>, Route::async, 5>,
                 SkinnyVariant<BlockTile<128, 64, 64, 2, 2>, Route::async, 6>>(call);
}

}  // namespace tilestep
