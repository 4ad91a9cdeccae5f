#include "kernel.hpp"    // PaddedGemm
#include "families.hpp"  // choose_on

namespace tilestep {

// 8 warps of 64 x 32 on 128 x 128, 64 bytes of K.
std::optional<Choice> nvidia_f16(GemmCall const& call) {
  using enum DType;
  using Tile = BlockTile<128, 128, 32, 2, 4, 2>;
  if (has_types<f16, f32, f32>(call)) return choose_on<SM80_16x8x16_F32F16F16F32_TN, Tile, half_t, float, float, true>(call);
  if (has_types<f16, f32, f16>(call)) return choose_on<SM80_16x8x16_F32F16F16F32_TN, Tile, half_t, half_t>(call);
  if (has_types<f16, f16, f16>(call)) return choose_on<SM80_16x8x16_F16F16F16F16_TN, Tile, half_t, half_t>(call);
  return {};
}

}  // namespace tilestep
