#include "kernel.hpp"    // OptimizedGemm
#include "families.hpp"  // TileVariant, choices

namespace tilestep {

Choices rdna4_f16_few(GemmCall const& call) {
  return choices<Product<RDNA4_16x16x16_F32F16F16F32, half_t>,
                 TileVariant<BlockTile<64, 128, 64, 2, 2>, Route::registers, 1>,
                 SkinnyVariant<BlockTile<16, 64, 128, 1, 4, 2>, Route::registers, 1>>(call);
}

}  // namespace tilestep
