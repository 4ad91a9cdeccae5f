#include "kernel.hpp"    // KLoopGemm
#include "families.hpp"  // launch_with

namespace tilestep {

// 16 x 16 threads of 8 x 8 on 128 x 128, 32 bytes of K.
bool run_fma(GemmCall const& call) {
  using enum DType;
  if (!has_types<f32, f32, f32>(call)) return false;
  launch_with<UniversalFMA<float>, BlockTile<128, 128, 8, 16, 16>, float, float, float>(call);
  return true;
}

}  // namespace tilestep
