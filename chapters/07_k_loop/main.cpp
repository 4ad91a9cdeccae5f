// The chapter's program: a K-loop through shared memory, on whatever matrix instruction the target has for the types of
// the problem.

#include "families.hpp"  // nvidia_f16, nvidia, cdna_f16, cdna, rdna3_f16, rdna3, rdna4, by_fma
#include "figures.hpp"   // the chapter's pictures

namespace {

using namespace tilestep;

void run(GemmCall const& call) {
  for (auto* family : {nvidia_f16, nvidia, cdna_f16, cdna, rdna3_f16, rdna3, rdna4, by_fma}) {
    if (auto const launch = family(call)) return (*launch)(call);
  }
  not_here("no kernel for these types on " + call.target);
}

}  // namespace

int main(int argc, char** argv) {
  GemmChapter chapter;
  chapter.name = "07_k_loop";
  chapter.adds = "the K-loop: tiles through shared memory, sums in registers, every size";
  chapter.types = matrix_types();
  chapter.m = 129;
  chapter.n = 129;
  chapter.k = 67;
  chapter.run = run;
  chapter.note = note_of_fma;
  chapter.figures = k_loop_figures;
  return gemm_main(argc, argv, chapter);
}
