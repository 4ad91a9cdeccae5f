#include "kernel.hpp"    // OptimizedGemm
#include "families.hpp"  // TileVariant, SkinnyVariant, choices

namespace tilestep {

Choices cdna4_few(GemmCall const& call) {
  return together(choices<Product<CDNA4_32x32x16_F32F16F16F32, half_t>,
                          TileVariant<BlockTile<64, 128, 64, 2, 2, 2>, Route::registers, 1>>(call),
                  choices<Product<CDNA4_16x16x32_F32F16F16F32, half_t>,
                          SkinnyVariant<BlockTile<16, 64, 128, 1, 4, 2>, Route::registers, 1>>(call),
                  choices<Product<CDNA4_32x32x16_F32BF16BF16F32, bfloat16_t>,
                          TileVariant<BlockTile<64, 128, 64, 2, 2, 2>, Route::registers, 1>>(call),
                  choices<Product<CDNA4_16x16x32_F32BF16BF16F32, bfloat16_t>,
                          SkinnyVariant<BlockTile<16, 64, 128, 1, 4, 2>, Route::registers, 1>>(call));
}

}  // namespace tilestep
