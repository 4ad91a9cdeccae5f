#include "kernel.hpp"    // PaddedGemm
#include "families.hpp"  // choose_on

namespace tilestep {

// 8 warps of 64 x 32 on 128 x 128, 64 bytes of K.
std::optional<Choice> nvidia_bf16(GemmCall const& call) {
  using enum DType;
  using Tile = BlockTile<128, 128, 32, 2, 4, 2>;
  if (has_types<bf16, f32, f32>(call)) return choose_on<SM80_16x8x16_F32BF16BF16F32_TN, Tile, bfloat16_t, float, float, true>(call);
  if (has_types<bf16, f32, bf16>(call)) return choose_on<SM80_16x8x16_F32BF16BF16F32_TN, Tile, bfloat16_t, bfloat16_t>(call);
  return {};
}

}  // namespace tilestep
