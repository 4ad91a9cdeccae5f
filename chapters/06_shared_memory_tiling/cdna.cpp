#include "kernel.hpp"    // BlockGemm
#include "families.hpp"  // any_layout, only_nt

namespace tilestep {

// 4 warps of 128 x 64 on 256 x 128, 64 bytes of K: the tile of CK's tutorial.
std::optional<Choice> cdna_kernel(GemmCall const& call) {
  using enum DType;
  using Tile16 = BlockTile<256, 128, 32, 2, 2, 2>;
  using Tile8 = BlockTile<256, 128, 64, 2, 2, 2>;
  if (has_types<bf16, f32, f32>(call)) return any_layout<CDNA_32x32x8_F32BF16BF16F32, Tile16, bfloat16_t, float>(call);
  if (has_types<bf16, f32, bf16>(call)) return only_nt<CDNA_32x32x8_F32BF16BF16F32, Tile16, bfloat16_t, bfloat16_t>(call);
  if (has_types<f32, f32, f32>(call)) return only_nt<CDNA_32x32x2_F32F32F32F32, BlockTile<256, 128, 16, 2, 2, 2>, float, float>(call);
  if (has_types<i8, i32, i32>(call)) {
    auto const wide = only_nt<CDNA3_32x32x16_I32I8I8I32, Tile8, std::int8_t, std::int32_t, std::int32_t>(call);
    return wide ? wide : only_nt<CDNA2_32x32x8_I32I8I8I32, Tile8, std::int8_t, std::int32_t, std::int32_t>(call);
  }
  return {};
}

}  // namespace tilestep
