// The chapter's program: the same GEMM with its tiles in shared memory packed, padded, as (K0,M,K1) and swizzled.
// ./tutorial run 09 builds and runs it.

#include <tilestep/harness/chapter_figures.hpp>  // chapter_figures
#include <tilestep/harness/gemm_choices.hpp>     // first_kernel_for, run_first_kernel
#include <tilestep/harness/gemm_types.hpp>       // way_types

namespace {

using namespace tilestep;

std::string refuses(GemmCall const& call) {
  if (first_kernel_for(call).name == call.kernel) return "";
  return "--kernel packed, padded and k0_m_k1 are for f16 whose rows are multiples of 16 bytes, in layout nt: take "
         "--kernel swizzled";
}

}  // namespace

int main(int argc, char** argv) {
  GemmChapter chapter;
  chapter.name = "09_bank_conflicts";
  chapter.adds = "tiles arranged so that every access of shared memory meets all banks";
  chapter.types = way_types();
  chapter.kernels = {"packed", "padded", "k0_m_k1", "swizzled"};
  chapter.m = 129;
  chapter.n = 129;
  chapter.k = 67;
  chapter.run = run_first_kernel;
  chapter.refuses = refuses;
  chapter.figures = chapter_figures;
  return gemm_main(argc, argv, chapter);
}
