#include "kernel.hpp"    // BlockGemm
#include "families.hpp"  // any_layout, only_nt

namespace tilestep {

// 4 warps of 128 x 64 on 256 x 128, 64 bytes of K: the tile of CK's tutorial.
std::optional<Choice> cdna_f16_kernel(GemmCall const& call) {
  using enum DType;
  using Tile16 = BlockTile<256, 128, 32, 2, 2, 2>;
  if (has_types<f16, f32, f32>(call)) return any_layout<CDNA_32x32x8_F32F16F16F32, Tile16, half_t, float>(call);
  if (has_types<f16, f32, f16>(call)) return only_nt<CDNA_32x32x8_F32F16F16F32, Tile16, half_t, half_t>(call);
  return {};
}

}  // namespace tilestep
