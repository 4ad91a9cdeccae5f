// The chapter's program: a GEMM for every problem, as fast as its instructions allow.
// ./tutorial run 17 builds and runs it.

#include "plan.hpp"  // planner

#include <tilestep/harness/gemm_types.hpp>  // matrix_types, note_of_fma

namespace {

using namespace tilestep;

std::string note(GemmCall const& call) {
  std::string const fma = note_of_fma(call);
  return describe(planner().plan_for(call)) + (fma.empty() ? "" : "; " + fma);
}

}  // namespace

int main(int argc, char** argv) {
  GemmChapter chapter;
  chapter.name = "17_optimized_gemm";
  chapter.adds =
      "everything together, tuned: one kernel for both vendors, copies between products, a table of what is fastest";
  chapter.types = matrix_types();
  chapter.types.push_back(f64_by_matrix());
  chapter.m = 129;
  chapter.n = 129;
  chapter.k = 67;
  chapter.epilogues = true;
  chapter.run = [](GemmCall const& call) { run(planner().plan_for(call)); };
  chapter.note = note;
  return gemm_main(argc, argv, chapter, planner().own_options());
}
