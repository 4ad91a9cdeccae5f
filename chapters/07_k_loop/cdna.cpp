#include "kernel.hpp"    // KLoopGemm
#include "families.hpp"  // run_on

namespace tilestep {

// 4 warps of 128 x 64 on 256 x 128, 64 bytes of K: the tile of CK's tutorial.
bool run_cdna(GemmCall const& call) {
  using enum DType;
  using Tile16 = BlockTile<256, 128, 32, 2, 2, 2>;
  using Tile8 = BlockTile<256, 128, 64, 2, 2, 2>;
  if (has_types<f16, f32, f32>(call)) return run_on<CDNA_32x32x8_F32F16F16F32, Tile16, half_t, float>(call);
  if (has_types<f16, f32, f16>(call)) return run_on<CDNA_32x32x8_F32F16F16F32, Tile16, half_t, half_t>(call);
  if (has_types<bf16, f32, f32>(call)) return run_on<CDNA_32x32x8_F32BF16BF16F32, Tile16, bfloat16_t, float>(call);
  if (has_types<bf16, f32, bf16>(call)) return run_on<CDNA_32x32x8_F32BF16BF16F32, Tile16, bfloat16_t, bfloat16_t>(call);
  if (has_types<f32, f32, f32>(call)) return run_on<CDNA_32x32x2_F32F32F32F32, BlockTile<256, 128, 16, 2, 2, 2>, float, float>(call);
  if (has_types<i8, i32, i32>(call)) {
    return run_on<CDNA2_32x32x8_I32I8I8I32, Tile8, std::int8_t, std::int32_t, std::int32_t>(call) ||
           run_on<CDNA3_32x32x16_I32I8I8I32, Tile8, std::int8_t, std::int32_t, std::int32_t>(call);
  }
  return false;
}

}  // namespace tilestep
