#pragma once
// The products of a rank: by chapter 20's kernels where they compute its types, else by chapter 17's.

#include <tilestep/harness/gemm_plan.hpp>  // GemmCall, GemmWishes

namespace tilestep {

/// What all parts of a product take from the plan of the whole, so that an element of C has the same products in the
/// same order in each.
GemmWishes as_planned(GemmCall const& whole);

/// Plans and launches, where there is something to compute.
void multiply(GemmCall const& call, GemmWishes const& wishes = {});

}  // namespace tilestep
