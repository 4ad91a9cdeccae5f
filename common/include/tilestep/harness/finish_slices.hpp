#pragma once
// K in slices at run time, for problems with an epilogue: the sums go to a workspace, and a second pass makes C of them. Its kernels are the
// library's, compiled once for all chapters.

#include <tilestep/harness/gemm_choices.hpp>  // GemmJob

namespace tilestep {

/// The same product with its sums in a workspace (M,N,(L,slices)), as they are: without scaling and epilogue. The workspace is kept from one
/// problem to the next.
GemmCall in_workspace(GemmCall const& call, int slices);

/// Launches the second pass: C = epilogue(slice 0 + slice 1 + ..). @param sums  what in_workspace(job.call, slices) gave, computed
void finish_slices(GemmJob const& job, GemmCall const& sums, int slices);

}  // namespace tilestep
