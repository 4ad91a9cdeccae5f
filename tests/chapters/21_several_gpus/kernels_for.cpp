// The kernels that a mutant has: chapter 17's for f16 on sm80.

#include <tilestep/harness/gemm_choices.hpp>  // GemmChoices

namespace tilestep {

namespace optimized_gemm {
GemmChoices kernels_nvidia_f16(GemmCall const& call);
GemmChoices kernels_nvidia_f16_few(GemmCall const& call);
}  // namespace optimized_gemm

GemmChoices kernels_for(GemmCall const& call) {
  return together(GemmChoices{}, optimized_gemm::kernels_nvidia_f16(call),
                  optimized_gemm::kernels_nvidia_f16_few(call));
}

}  // namespace tilestep
