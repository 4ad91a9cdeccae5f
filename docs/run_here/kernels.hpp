#pragma once
// The kernels of the program: chapter 07's own, and copies of them in which a bug can be switched on.

#include <tilestep/harness/gemm_choices.hpp>  // GemmChoices, GemmCall

namespace tilestep {

GemmChoices nvidia_f16(GemmCall const& call);
GemmChoices cdna_f16(GemmCall const& call);
GemmChoices nvidia_f16_with_bugs(GemmCall const& call);
GemmChoices cdna_f16_with_bugs(GemmCall const& call);

}  // namespace tilestep
