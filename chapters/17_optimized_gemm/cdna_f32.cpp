#include "kernel.hpp"    // OptimizedGemm
#include "families.hpp"  // TileVariant, choices

namespace tilestep {

Choices cdna_f32(GemmCall const& call) {
  return choices<Product<CDNA_32x32x2_F32F32F32F32, float>,
                 TileVariant<BlockTile<256, 128, 16, 2, 2, 2>, Route::registers, 1>>(call);
}

}  // namespace tilestep
