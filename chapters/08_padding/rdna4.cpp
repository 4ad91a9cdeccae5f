#include "kernel.hpp"    // PaddedGemm
#include "families.hpp"  // choose_on

namespace tilestep {

// 8 warps of 64 x 32 on 128 x 128, 64 bytes of K.
std::optional<Choice> rdna4(GemmCall const& call) {
  using enum DType;
  using Tile = BlockTile<128, 128, 32, 2, 4>;
  if (has_types<bf16, f32, f32>(call)) return choose_on<RDNA4_16x16x16_F32BF16BF16F32, Tile, bfloat16_t, float, float, true>(call);
  if (has_types<bf16, f32, bf16>(call)) return choose_on<RDNA4_16x16x16_F32BF16BF16F32, Tile, bfloat16_t, bfloat16_t>(call);
  if (has_types<i8, i32, i32>(call)) return choose_on<RDNA4_16x16x16_I32I8I8I32, BlockTile<128, 128, 64, 2, 4>, std::int8_t, std::int32_t, std::int32_t>(call);
  return {};
}

}  // namespace tilestep
