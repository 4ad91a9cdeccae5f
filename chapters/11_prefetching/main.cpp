// The chapter's program: the same GEMM with its tiles waited for, loaded ahead, and with fragments read ahead, too.
// ./tutorial run 11 builds and runs it.

#include "figures.hpp"  // the chapter's pictures

#include <tilestep/harness/gemm_choices.hpp>  // first_kernel_for, run_first_kernel
#include <tilestep/harness/gemm_types.hpp>    // way_types

namespace {

using namespace tilestep;

std::string refuses(GemmCall const& call) {
  if (first_kernel_for(call).name == call.kernel) return "";
  return "--kernel waiting and tiles are for f16 whose rows are multiples of 16 bytes, in layout nt: take --kernel "
         "prefetching";
}

}  // namespace

int main(int argc, char** argv) {
  GemmChapter chapter;
  chapter.name = "11_prefetching";
  chapter.adds = "loads ahead of their use: the next tile into registers, the next fragments from shared memory";
  chapter.types = way_types();
  chapter.kernels = {"waiting", "tiles", "prefetching"};
  chapter.m = 129;
  chapter.n = 129;
  chapter.k = 67;
  chapter.run = run_first_kernel;
  chapter.refuses = refuses;
  chapter.figures = [&] { return prefetch_figures(chapter.run); };
  return gemm_main(argc, argv, chapter);
}
