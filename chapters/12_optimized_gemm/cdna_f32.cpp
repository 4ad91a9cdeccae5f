#include "kernel.hpp"    // OptimizedGemm
#include "families.hpp"  // Way, choices

namespace tilestep {

Choices cdna_f32(GemmCall const& call) {
  return choices<Product<CDNA_32x32x2_F32F32F32F32, float>, Way<BlockTile<256, 128, 16, 2, 2, 2>, Route::registers, 1>>(call);
}

}  // namespace tilestep
