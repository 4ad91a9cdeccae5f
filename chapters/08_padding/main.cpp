// The chapter's program: a GEMM in vectors whatever its extents are, as stored or after repacking, on every target's
// matrix instructions.

#include "families.hpp"  // Choice, nvidia_f16 and its siblings
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

/// What the reader should know about how this problem is computed.
std::string note(GemmCall const& call) {
  std::string const by_fma = note_of_fma(call),
                    chosen = call.kernel == "chosen" ? "chosen: " + choice(call).kernel : "";
  return by_fma + (by_fma.empty() || chosen.empty() ? "" : "; ") + chosen;
}

// [refuses]
/// `--kernel vectors` takes operands as they are stored. Says what it cannot take.
std::string refuses(GemmCall const& call) {
  std::string const found = choice(call).kernel;
  if (call.kernel == "chosen" || found == call.kernel) return "";
  if (call.kernel == "repacked")
    return "--kernel repacked takes rows of A and B so short that a tile spans less than 2^31 bytes: take --kernel "
           "scalars";
  return std::string(
             "--kernel vectors takes A and B whose stored rows are multiples of 16 bytes long and apart, in layout ") +
         (widens(call) ? "nn or nt" : "nt") + ": take --kernel repacked, which makes them so";
}
// [refuses]

}  // namespace

int main(int argc, char** argv) {
  GemmChapter chapter;
  chapter.name = "08_padding";
  chapter.adds = "M, N, K and leading dimensions that are multiples of nothing: a predicate per vector, repacking";
  chapter.types = matrix_types();
  chapter.kernels = {"scalars", "vectors", "repacked", "chosen"};
  chapter.m = 129;
  chapter.n = 129;
  chapter.k = 67;
  chapter.run = [](GemmCall const& call) { choice(call).launch(call); };
  chapter.note = note;
  chapter.refuses = refuses;
  chapter.figures = padding_figures;
  return gemm_main(argc, argv, chapter);
}
