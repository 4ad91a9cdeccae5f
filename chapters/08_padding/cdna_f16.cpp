#include "kernel.hpp"    // PaddedGemm
#include "families.hpp"  // choose_on

namespace tilestep {

// 4 warps of 128 x 64 on 256 x 128, 64 bytes of K: the tile of CK's tutorial.
std::optional<Choice> cdna_f16(GemmCall const& call) {
  using enum DType;
  using Tile = BlockTile<256, 128, 32, 2, 2, 2>;
  if (has_types<f16, f32, f32>(call)) return choose_on<CDNA_32x32x8_F32F16F16F32, Tile, half_t, float, float, true>(call);
  if (has_types<f16, f32, f16>(call)) return choose_on<CDNA_32x32x8_F32F16F16F32, Tile, half_t, half_t>(call);
  return {};
}

}  // namespace tilestep
