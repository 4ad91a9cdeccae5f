#pragma once
// The chapter's planner: which of its kernels computes a problem, and how.

#include <tilestep/harness/gemm_plan.hpp>  // GemmPlanner

namespace tilestep {

/// The variants as --kernel names them, from chapter 19's kernel to this one; the last is the family of tuned kernels.
std::vector<std::string> variants();

GemmPlanner& planner();

/// Launches what computes the problem.
void run_hopper(GemmCall const& call);

}  // namespace tilestep
