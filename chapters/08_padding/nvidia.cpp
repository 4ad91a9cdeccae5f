#include "kernel.hpp"    // PaddedGemm
#include "families.hpp"  // choose_on

namespace tilestep {

// 8 warps of 64 x 32 on 128 x 128, 64 bytes of K.
std::optional<Choice> nvidia(GemmCall const& call) {
  using enum DType;
  if (has_types<tf32, f32, f32>(call)) return choose_on<SM80_16x8x8_F32TF32TF32F32_TN, BlockTile<128, 128, 16, 2, 4, 2>, float, float>(call);
  if (has_types<i8, i32, i32>(call)) return choose_on<SM80_16x8x32_S32S8S8S32_TN, BlockTile<128, 128, 64, 2, 4, 2>, std::int8_t, std::int32_t, std::int32_t>(call);
  return {};
}

}  // namespace tilestep
