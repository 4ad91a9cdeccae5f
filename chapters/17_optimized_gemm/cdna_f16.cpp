#include "kernel.hpp"    // OptimizedGemm
#include "families.hpp"  // TileVariant, choices

namespace tilestep {

Choices cdna_f16(GemmCall const& call) {
  return choices<Product<CDNA_32x32x8_F32F16F16F32, half_t>,
                 TileVariant<BlockTile<256, 256, 32, 2, 4>, Route::registers, 1>,
                 TileVariant<BlockTile<256, 128, 32, 2, 2, 2>, Route::registers, 1>>(call);
}

}  // namespace tilestep
