#include "kernel.hpp"    // PaddedGemm
#include "families.hpp"  // choose_on

namespace tilestep {

// 4 warps of 128 x 64 on 256 x 128, 64 bytes of K: the tile of CK's tutorial.
std::optional<Choice> cdna_bf16(GemmCall const& call) {
  using enum DType;
  using Tile = BlockTile<256, 128, 32, 2, 2, 2>;
  if (has_types<bf16, f32, f32>(call)) return choose_on<CDNA_32x32x8_F32BF16BF16F32, Tile, bfloat16_t, float, float, true>(call);
  if (has_types<bf16, f32, bf16>(call)) return choose_on<CDNA_32x32x8_F32BF16BF16F32, Tile, bfloat16_t, bfloat16_t>(call);
  return {};
}

}  // namespace tilestep
