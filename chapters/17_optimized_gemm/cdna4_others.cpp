#include "kernel.hpp"    // OptimizedGemm
#include "families.hpp"  // TileVariant, choices

namespace tilestep {

Choices cdna4_others(GemmCall const& call) {
  return together(choices<Product<CDNA4_32x32x2_F32F32F32F32, float>,
                          TileVariant<BlockTile<256, 128, 16, 2, 2, 2>, Route::registers, 1>>(call),
                  choices<Product<CDNA4_32x32x32_I32I8I8I32, std::int32_t>,
                          TileVariant<BlockTile<256, 128, 64, 2, 2, 2>, Route::registers, 1>>(call));
}

}  // namespace tilestep
