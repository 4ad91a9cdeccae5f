#include "kernel.hpp"   // WarpGemm
#include "by_type.hpp"  // launch_on

namespace tilestep {

void run_f64(GemmCall const& call) {
  using ThirtyTwoFmas = WarpGemm<MmaAtom<UniversalFMA<double>>, Layout<Shape<_4, _8, _1>>, double, double, double>;
  bool const by_matrix = has_instruction<SM80_8x8x4_F64F64F64F64_TN>(call.target) ||
                         has_instruction<CDNA_16x16x4_F64F64F64F64>(call.target);
  if (by_matrix)
    launch_on<double, double, double, SM90_16x8x16_F64F64F64F64_TN, SM80_8x8x4_F64F64F64F64_TN,
              CDNA_16x16x4_F64F64F64F64>(call);
  else launch_gemm<ThirtyTwoFmas, double>(call);
}

}  // namespace tilestep
