// The chapter's program: a K-loop through shared memory, on whatever matrix instruction the target has for the types of
// the problem.
// ./tutorial run 07 builds and runs it.

#include "figures.hpp"  // the chapter's pictures

#include <tilestep/harness/gemm_choices.hpp>  // run_first_kernel
#include <tilestep/harness/gemm_types.hpp>    // way_types

int main(int argc, char** argv) {
  using namespace tilestep;
  GemmChapter chapter;
  chapter.name = "07_k_loop";
  chapter.adds = "the K-loop: tiles through shared memory, sums in registers, every size";
  chapter.types = way_types();
  chapter.m = 129;
  chapter.n = 129;
  chapter.k = 67;
  chapter.run = run_first_kernel;
  chapter.figures = [] { return k_loop_figures(run_first_kernel); };
  return gemm_main(argc, argv, chapter);
}
