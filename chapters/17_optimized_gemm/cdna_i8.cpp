#include "kernel.hpp"    // OptimizedGemm
#include "families.hpp"  // TileVariant, choices

namespace tilestep {

Choices cdna_i8(GemmCall const& call) {
  return together(choices<Product<CDNA2_32x32x8_I32I8I8I32, std::int32_t>,
                          TileVariant<BlockTile<256, 128, 64, 2, 2, 2>, Route::registers, 1>>(call),
                  choices<Product<CDNA3_32x32x16_I32I8I8I32, std::int32_t>,
                          TileVariant<BlockTile<256, 128, 64, 2, 2, 2>, Route::registers, 1>>(call));
}

}  // namespace tilestep
