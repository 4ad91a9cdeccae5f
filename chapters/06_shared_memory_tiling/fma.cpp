#include "kernel.hpp"    // BlockGemm
#include "families.hpp"  // kernel_along

namespace tilestep {

// 16 x 16 threads of 8 x 8 on 128 x 128, 32 bytes of K.
std::optional<Choice> fma_kernel(GemmCall const& call) {
  using enum DType;
  if (!has_types<f32, f32, f32>(call)) return {};
  return kernel_along<Contiguous::k, Contiguous::k, UniversalFMA<float>, BlockTile<128, 128, 8, 16, 16>, float, float, float>();
}

}  // namespace tilestep
