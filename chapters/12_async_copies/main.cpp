// The chapter's program: the same GEMM with its tiles waited for, fetched ahead into registers, and fetched ahead into
// a ring in shared memory.

#include "families.hpp"  // Choice, the families
#include "figures.hpp"   // the chapter's pictures

namespace {

using namespace tilestep;

Choice choice(GemmCall const& call) {
  if (call.kernel != "pipelined") {
    if (call.dtype != DType::f16 || call.acc != DType::f32 || call.out != DType::f32)
      return {nullptr, "the steps before --kernel pipelined are for f16 -> f32: take --kernel pipelined"};
    for (auto* family : {nvidia_steps, cdna_steps, rdna3_steps, rdna4_steps}) {
      if (auto const found = family(call)) return *found;
    }
    not_here("no --kernel " + call.kernel + " on " + call.target + ": stages4 is for NVIDIA, direct for AMD CDNA");
  }
  for (auto* family :
       {nvidia_f16, nvidia_bf16, nvidia, cdna_f16, cdna_bf16, cdna, rdna3_f16, rdna3, rdna4_f16, rdna4, by_fma}) {
    if (auto const found = family(call)) return *found;
  }
  not_here("no kernel for these types on " + call.target);
}

std::string refuses(GemmCall const& call) {
  char const* const reason = choice(call).refused;
  return reason == nullptr ? "" : reason;
}

}  // namespace

int main(int argc, char** argv) {
  GemmChapter chapter;
  chapter.name = "12_async_copies";
  chapter.adds = "copies hidden behind products: register prefetch, rings filled by cp.async, loads straight to LDS";
  chapter.types = matrix_types();
  chapter.kernels = {"waiting", "prefetch", "stages2", "stages4", "direct", "pipelined"};
  chapter.m = 129;
  chapter.n = 129;
  chapter.k = 67;
  chapter.run = [](GemmCall const& call) { choice(call).launch(call); };
  chapter.figures = [&] { return pipeline_figures(chapter.run); };
  chapter.refuses = refuses;
  chapter.note = note_of_fma;
  return gemm_main(argc, argv, chapter);
}
