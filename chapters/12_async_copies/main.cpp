// The chapter's program: the same GEMM with its tiles copied ahead into a ring in shared memory, past the registers.
// ./tutorial run 12 builds and runs it.

#include "figures.hpp"  // the chapter's pictures

#include <tilestep/backend/target.hpp>        // target_info
#include <tilestep/harness/gemm_choices.hpp>  // kernels_for, launch_choice
#include <tilestep/harness/gemm_types.hpp>    // GemmTypes

namespace {

using namespace tilestep;

/// The kernel that --kernel names, or none.
GemmChoice choice(GemmCall const& call) {
  for (GemmChoice const& found : kernels_for(call)) {
    if (found.name == call.kernel) return fitting({found}, machine_for(call)).front();
  }
  return {};
}

std::string refuses(GemmCall const& call) {
  if (choice(call).launch != nullptr) return "";
  if (!target_info(call.target).async_copy)
    not_here("no --kernel " + call.kernel + " on " + call.target + ": stages2 and stages3 are for NVIDIA");
  return "--kernel stages2 and stages3 are for rows that are multiples of 16 bytes, in layout nt: take --kernel ring";
}

}  // namespace

int main(int argc, char** argv) {
  GemmChapter chapter;
  chapter.name = "12_async_copies";
  chapter.adds = "copies that do not pass through registers: rings filled by cp.async, loads straight to LDS";
  chapter.types = {{.dtype = DType::f16,
                    .acc = DType::f32,
                    .out = DType::f32,
                    .targets = {"sm80", "sm90", "gfx90a", "gfx942", "gfx950"},
                    .truncating = true}};
  chapter.kernels = {"stages2", "stages3", "ring"};
  chapter.m = 129;
  chapter.n = 129;
  chapter.k = 67;
  chapter.run = [](GemmCall const& call) { launch_choice(choice(call), {call}); };
  chapter.figures = [&] { return ring_figures(chapter.run); };
  chapter.refuses = refuses;
  return gemm_main(argc, argv, chapter);
}
