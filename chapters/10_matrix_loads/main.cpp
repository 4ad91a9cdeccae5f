// The chapter's program: the same GEMM with its fragments read by each lane alone, and by whole warps with ldmatrix.
// ./tutorial run 10 builds and runs it.

#include <tilestep/harness/chapter_figures.hpp>  // chapter_figures
#include <tilestep/harness/gemm_choices.hpp>     // run_first_kernel
#include <tilestep/harness/gemm_types.hpp>       // way_types

namespace {

using namespace tilestep;

/// Where both values of --kernel are the same kernel: says so.
std::string note(GemmCall const& call) {
  if (call.dtype == DType::f32) return "an FMA takes single elements: --kernel matrix and plain are the same for f32";
  if (!target_info(call.target).ldmatrix)
    return call.target + " has no ldmatrix: --kernel matrix and plain are the same, each lane reads its own elements";
  return "";
}

}  // namespace

int main(int argc, char** argv) {
  GemmChapter chapter;
  chapter.name = "10_matrix_loads";
  chapter.adds = "ldmatrix: a warp reads whole 8 x 8 matrices into its fragments, transposed where that is needed";
  chapter.types = way_types();
  chapter.kernels = {"plain", "matrix"};
  chapter.m = 129;
  chapter.n = 129;
  chapter.k = 67;
  chapter.run = run_first_kernel;
  chapter.note = note;
  chapter.figures = chapter_figures;
  return gemm_main(argc, argv, chapter);
}
