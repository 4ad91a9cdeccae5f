#include "kernel.hpp"    // BlockGemm
#include "families.hpp"  // any_layout, only_nt

namespace tilestep {

// 8 warps of 64 x 32 on 128 x 128, 64 bytes of K.
std::optional<Choice> nvidia_f16_kernel(GemmCall const& call) {
  using enum DType;
  using Tile16 = BlockTile<128, 128, 32, 2, 4>;
  if (has_types<f16, f32, f32>(call)) return any_layout<SM80_16x8x16_F32F16F16F32_TN, Tile16, half_t, float>(call);
  if (has_types<f16, f32, f16>(call)) return only_nt<SM80_16x8x16_F32F16F16F32_TN, Tile16, half_t, half_t>(call);
  if (has_types<f16, f16, f16>(call)) return only_nt<SM80_16x8x16_F16F16F16F16_TN, Tile16, half_t, half_t>(call);
  return {};
}

}  // namespace tilestep
