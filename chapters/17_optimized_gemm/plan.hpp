#pragma once
// How a problem is computed: which way round, on which tile, in which order, in how many slices of K. A table of
// measurements says so where the target has one, else a rule.

#include <tilestep/harness/gemm_plan.hpp>  // GemmPlanner

namespace tilestep {

/// The chapter's own.
GemmPlanner& planner();

}  // namespace tilestep
