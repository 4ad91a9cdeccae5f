// The chapter's program: a GEMM in vectors whatever its extents are, as stored or after repacking, on every target's
// matrix instructions.
// ./tutorial run 08 builds and runs it.

#include <tilestep/harness/chapter_figures.hpp>  // chapter_figures
#include <tilestep/harness/gemm_choices.hpp>     // first_kernel_for, run_first_kernel
#include <tilestep/harness/gemm_types.hpp>       // way_types

namespace {

using namespace tilestep;

/// What the reader should know about how this problem is computed.
std::string note(GemmCall const& call) {
  return call.kernel == "chosen" ? "chosen: " + first_kernel_for(call).name : "";
}

// [refuses]
/// `--kernel vectors` takes operands as they are stored. Says what it cannot take.
std::string refuses(GemmCall const& call) {
  std::string const found = first_kernel_for(call).name;
  if (call.kernel == "chosen" || found == call.kernel) return "";
  if (call.kernel == "repacked")
    return "--kernel repacked takes rows of A and B so short that a tile spans less than 2^31 bytes: take --kernel "
           "scalars";
  return std::string(
             "--kernel vectors takes A and B whose stored rows are multiples of 16 bytes long and apart, in layout ") +
         (call.dtype == DType::f16 ? "nn or nt" : "nt") + ": take --kernel repacked, which makes them so";
}
// [refuses]

}  // namespace

int main(int argc, char** argv) {
  GemmChapter chapter;
  chapter.name = "08_padding";
  chapter.adds = "M, N, K and leading dimensions that are multiples of nothing: a predicate per vector, repacking";
  chapter.types = way_types();
  chapter.kernels = {"scalars", "vectors", "repacked", "chosen"};
  chapter.m = 129;
  chapter.n = 129;
  chapter.k = 67;
  chapter.run = run_first_kernel;
  chapter.note = note;
  chapter.refuses = refuses;
  chapter.figures = chapter_figures;
  return gemm_main(argc, argv, chapter);
}
