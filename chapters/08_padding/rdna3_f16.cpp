#include "kernel.hpp"    // PaddedGemm
#include "families.hpp"  // choose_on

namespace tilestep {

// 8 warps of 64 x 32 on 128 x 128, 64 bytes of K.
std::optional<Choice> rdna3_f16(GemmCall const& call) {
  using enum DType;
  using Tile = BlockTile<128, 128, 32, 2, 4>;
  if (has_types<f16, f32, f32>(call)) return choose_on<RDNA3_16x16x16_F32F16F16F32, Tile, half_t, float, float, true>(call);
  if (has_types<f16, f32, f16>(call)) return choose_on<RDNA3_16x16x16_F32F16F16F32, Tile, half_t, half_t>(call);
  return {};
}

}  // namespace tilestep
