#include "kernel.hpp"    // OptimizedGemm
#include "families.hpp"  // TileVariant, choices

namespace tilestep {

Choices rdna3_f16(GemmCall const& call) {
  return choices<Product<RDNA3_16x16x16_F32F16F16F32, half_t>,
                 TileVariant<BlockTile<128, 256, 32, 2, 4>, Route::registers, 1, 1>>(call);
}

}  // namespace tilestep
