// The chapter's program: the same GEMM with its tiles in shared memory packed, padded and swizzled.

#include "families.hpp"  // Choice, the families
#include "figures.hpp"   // the chapter's pictures

namespace {

using namespace tilestep;

Choice choice(GemmCall const& call) {
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
  chapter.name = "09_bank_conflicts";
  chapter.adds = "tiles arranged so that every access of shared memory meets all banks";
  chapter.types = matrix_types();
  chapter.kernels = {"packed", "padded", "swizzled"};
  chapter.m = 129;
  chapter.n = 129;
  chapter.k = 67;
  chapter.run = [](GemmCall const& call) { choice(call).launch(call); };
  chapter.refuses = refuses;
  chapter.note = note_of_fma;
  chapter.figures = bank_figures;
  return gemm_main(argc, argv, chapter);
}
