#include "kernel.hpp"    // PaddedGemm
#include "families.hpp"  // choose_on

namespace tilestep {

// 4 warps of 128 x 64 on 256 x 128, 64 bytes of K: the tile of CK's tutorial.
std::optional<Choice> cdna(GemmCall const& call) {
  using enum DType;
  using Tile = BlockTile<256, 128, 64, 2, 2, 2>;
  if (has_types<f32, f32, f32>(call)) return choose_on<CDNA_32x32x2_F32F32F32F32, BlockTile<256, 128, 16, 2, 2, 2>, float, float>(call);
  if (has_types<i8, i32, i32>(call)) {
    auto const wide = choose_on<CDNA3_32x32x16_I32I8I8I32, Tile, std::int8_t, std::int32_t, std::int32_t>(call);
    return wide ? wide : choose_on<CDNA2_32x32x8_I32I8I8I32, Tile, std::int8_t, std::int32_t, std::int32_t>(call);
  }
  return {};
}

}  // namespace tilestep
