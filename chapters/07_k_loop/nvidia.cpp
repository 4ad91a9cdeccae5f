#include "kernel.hpp"    // KLoopGemm
#include "families.hpp"  // run_on

namespace tilestep {

// 8 warps of 64 x 32 on 128 x 128, 64 bytes of K.
bool run_nvidia(GemmCall const& call) {
  using enum DType;
  using Tile16 = BlockTile<128, 128, 32, 2, 4>;
  if (has_types<f16, f32, f32>(call)) return run_on<SM80_16x8x16_F32F16F16F32_TN, Tile16, half_t, float>(call);
  if (has_types<f16, f32, f16>(call)) return run_on<SM80_16x8x16_F32F16F16F32_TN, Tile16, half_t, half_t>(call);
  if (has_types<f16, f16, f16>(call)) return run_on<SM80_16x8x16_F16F16F16F16_TN, Tile16, half_t, half_t>(call);
  if (has_types<bf16, f32, f32>(call)) return run_on<SM80_16x8x16_F32BF16BF16F32_TN, Tile16, bfloat16_t, float>(call);
  if (has_types<bf16, f32, bf16>(call)) return run_on<SM80_16x8x16_F32BF16BF16F32_TN, Tile16, bfloat16_t, bfloat16_t>(call);
  if (has_types<tf32, f32, f32>(call)) return run_on<SM80_16x8x8_F32TF32TF32F32_TN, BlockTile<128, 128, 16, 2, 4>, float, float>(call);
  if (has_types<i8, i32, i32>(call)) return run_on<SM80_16x8x32_S32S8S8S32_TN, BlockTile<128, 128, 64, 2, 4>, std::int8_t, std::int32_t, std::int32_t>(call);
  return false;
}

}  // namespace tilestep
