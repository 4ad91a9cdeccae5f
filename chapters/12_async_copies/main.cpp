// The chapter's program: the same GEMM with its tiles waited for, fetched ahead into registers, and fetched ahead into
// a ring in shared memory.

#include "figures.hpp"  // the chapter's pictures

#include <tilestep/harness/gemm_choices.hpp>  // kernels_for, launch_choice
#include <tilestep/harness/gemm_types.hpp>    // way_types

namespace {

using namespace tilestep;

GemmChoice choice(GemmCall const& call) {
  GemmChoices const found = kernels_for(call);
  if (!found.empty()) return found.front();
  not_here("no --kernel " + call.kernel + " on " + call.target + ": stages4 is for NVIDIA, direct for AMD CDNA");
}

std::string refuses(GemmCall const& call) {
  if (call.kernel == "pipelined") return "";
  if (call.dtype == DType::f16 && choice(call).launch != nullptr) return "";
  return "the steps before --kernel pipelined are for f16 whose rows are multiples of 16 bytes, in layout nt: take "
         "--kernel pipelined";
}

}  // namespace

int main(int argc, char** argv) {
  GemmChapter chapter;
  chapter.name = "12_async_copies";
  chapter.adds = "copies hidden behind products: register prefetch, rings filled by cp.async, loads straight to LDS";
  chapter.types = way_types();
  chapter.kernels = {"waiting", "prefetch", "stages2", "stages4", "direct", "pipelined"};
  chapter.m = 129;
  chapter.n = 129;
  chapter.k = 67;
  chapter.run = [](GemmCall const& call) { launch_choice(choice(call), {call}); };
  chapter.figures = [&] { return pipeline_figures(chapter.run); };
  chapter.refuses = refuses;
  return gemm_main(argc, argv, chapter);
}
