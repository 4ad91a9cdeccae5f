#pragma once
// The chapter's planner: which of its kernels computes a problem, and how.

#include <tilestep/harness/gemm_plan.hpp>  // GemmPlanner

namespace tilestep {

/// The variants as --kernel names them, from chapter 19's kernel to this one; the last is the family of tuned kernels.
std::vector<std::string> variants();

/// Plans for the family: a call of it names "tuned" as its kernel.
GemmPlanner& hopper_planner();

/// Are there kernels for the call's types on its target?
bool hopper_computes(GemmCall const& call);

/// Launches what computes the problem. @param plan  hopper_planner()'s for this call
void run_hopper(GemmCall const& call, GemmPlan const& plan);

}  // namespace tilestep
