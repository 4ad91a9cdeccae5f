#include "kernel.hpp"    // OptimizedGemm
#include "families.hpp"  // TileVariant, choices

namespace tilestep {

Choices nvidia_bf16_few(GemmCall const& call) {
  return choices<Product<SM80_16x8x16_F32BF16BF16F32_TN, bfloat16_t>,
                 SkinnyVariant<BlockTile<16, 64, 64, 1, 4, 2>, Route::async, 8>,
                 SkinnyVariant<BlockTile<32, 64, 64, 2, 2, 2>, Route::async, 8>,
                 SkinnyVariant<BlockTile<64, 64, 128, 2, 2>, Route::async, 5>,
                 SkinnyVariant<BlockTile<128, 64, 64, 2, 2>, Route::async, 6>>(call);
}

}  // namespace tilestep
