#include "kernel.hpp"    // OptimizedGemm
#include "families.hpp"  // TileVariant, choices

namespace tilestep {

Choices nvidia(GemmCall const& call) {
  return together(choices<Product<SM80_16x8x8_F32TF32TF32F32_TN, float>,
                          TileVariant<BlockTile<128, 256, 16, 2, 4>, Route::async, 4>,
                          TileVariant<BlockTile<256, 128, 16, 4, 2>, Route::async, 4>,
                          TileVariant<BlockTile<64, 128, 32, 2, 2, 2>, Route::async, 4>>(call),
                  choices<Product<SM80_16x8x32_S32S8S8S32_TN, std::int32_t>,
                          TileVariant<BlockTile<128, 256, 64, 2, 4>, Route::async, 4>,
                          TileVariant<BlockTile<64, 128, 128, 2, 2, 2>, Route::async, 4>>(call),
                  choices<Product<SM80_16x8x16_F16F16F16F16_TN, half_t>,
                          TileVariant<BlockTile<128, 256, 32, 2, 4>, Route::async, 4>>(call));
}

}  // namespace tilestep
