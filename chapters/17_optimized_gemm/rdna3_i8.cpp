#include "kernel.hpp"    // OptimizedGemm
#include "families.hpp"  // TileVariant, choices

namespace tilestep {

Choices rdna3_i8(GemmCall const& call) {
  return choices<Product<RDNA3_16x16x16_I32I8I8I32, std::int32_t>,
                 TileVariant<BlockTile<128, 256, 64, 2, 4>, Route::registers, 1, 1>>(call);
}

}  // namespace tilestep
