#pragma once
// Split-K at run time: the workspace that slices of K leave their sums in, and the launch of the second pass.

#include <tilestep/harness/workspace.hpp>  // into_workspace

namespace tilestep {

/// Launches the second pass: C = alpha (slice 0 + slice 1 + ..) + beta C.
/// @param sums  what into_workspace(call, slices) gave, computed
void add_slices(GemmCall const& call, GemmCall const& sums, int slices);

}  // namespace tilestep
