#include "kernel.hpp"    // OptimizedGemm
#include "families.hpp"  // TileVariant, choices

namespace tilestep {

Choices rdna4_bf16(GemmCall const& call) {
  return choices<Product<RDNA4_16x16x16_F32BF16BF16F32, bfloat16_t>,
                 TileVariant<BlockTile<128, 256, 32, 2, 4>, Route::registers, 1>>(call);
}

}  // namespace tilestep
