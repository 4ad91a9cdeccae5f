#include "kernel.hpp"   // WarpGemm
#include "by_type.hpp"  // launch_on

namespace tilestep {

void run_f32(GemmCall const& call) {
  // [f32]
  using ThirtyTwoFmas = WarpGemm<MmaAtom<UniversalFMA<float>>, Layout<Shape<_4, _8, _1>>, float, float, float>;
  if (call.dtype == DType::tf32) launch_on<float, float, float, SM80_16x8x8_F32TF32TF32F32_TN>(call);
  else if (has_instruction<CDNA_32x32x2_F32F32F32F32>(call.target))
    launch_on<float, float, float, CDNA_32x32x2_F32F32F32F32>(call);
  else launch_gemm<ThirtyTwoFmas, float>(call);
  // [f32]
}

}  // namespace tilestep
