#include "kernel.hpp"    // OptimizedGemm
#include "families.hpp"  // TileVariant, choices

namespace tilestep {

Choices cdna_bf16_few(GemmCall const& call) {
  return together(choices<Product<CDNA_32x32x8_F32BF16BF16F32, bfloat16_t>,
                          TileVariant<BlockTile<64, 128, 64, 2, 2, 2>, Route::registers, 1>>(call),
                  choices<Product<CDNA_16x16x16_F32BF16BF16F32, bfloat16_t>,
                          SkinnyVariant<BlockTile<16, 64, 128, 1, 4, 2>, Route::registers, 1>>(call));
}

}  // namespace tilestep
