// The kernels that a mutant has: chapter 17's for f16 on sm80.

#include <tilestep/harness/gemm_choices.hpp>  // GemmChoices

namespace tilestep {

GemmChoices kernels_nvidia_f16(GemmCall const& call);
GemmChoices kernels_nvidia_f16_few(GemmCall const& call);

GemmChoices kernels_for(GemmCall const& call) {
  return together(GemmChoices{}, kernels_nvidia_f16(call), kernels_nvidia_f16_few(call));
}

}  // namespace tilestep
