#include "kernel.hpp"    // PaddedGemm
#include "families.hpp"  // choose

namespace tilestep {

// 16 x 16 threads of 8 x 8 on 128 x 128, 32 bytes of K.
std::optional<Choice> by_fma(GemmCall const& call) {
  using enum DType;
  if (!has_types<f32, f32, f32>(call)) return {};
  return choose<UniversalFMA<float>, BlockTile<128, 128, 8, 16, 16>, float, float, float, false>(call);
}

}  // namespace tilestep
