#pragma once
// The second pass where K is in slices, for problems with an epilogue. Its kernels are the library's, compiled once for
// all chapters.

#include <tilestep/harness/gemm_choices.hpp>  // GemmJob

namespace tilestep {

/// Launches the second pass: C = epilogue(slice 0 + slice 1 + ..). @param sums  what into_workspace(job.call, slices)
/// gave, computed; or sums in C's own type, f16 or bf16, which are added in f32
void finish_slices(GemmJob const& job, GemmCall const& sums, int slices);

/// Is the second pass launched while the kernel before it runs, which hides most of its launch?
bool second_pass_overlaps(GemmCall const& call);

}  // namespace tilestep
