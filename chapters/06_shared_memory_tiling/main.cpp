// The chapter's program: blocks of C through shared memory, on whatever matrix instruction the target has for the types
// of the problem.

#include "families.hpp"  // Choice, the kernels of each family
#include "figures.hpp"   // the chapter's pictures

namespace {

using namespace tilestep;

Choice choice(GemmCall const& call) {
  for (auto* family : {nvidia_f16, nvidia, cdna_f16, cdna, rdna3_f16, rdna3, rdna4, by_fma}) {
    if (auto const found = family(call)) return *found;
  }
  not_here("no kernel for these types on " + call.target);
}

/// Whole tiles in vectors of 16 bytes, and no loop along K: says what does not fit.
std::string refuses(GemmCall const& call) {
  Choice const tile = choice(call);
  auto const multiple = [](std::int64_t extent, int of) { return extent % of == 0; };
  std::string const without = "; 07_k_loop has no such limit";
  if (!multiple(call.m, tile.m) || !multiple(call.n, tile.n) || call.k != tile.k) {
    return "these types on " + call.target + " want M a multiple of " + std::to_string(tile.m) + ", N of " +
           std::to_string(tile.n) + ", and K = " + std::to_string(tile.k) + without;
  }
  if (!widens(call) && (call.stride_a.col != 1 || call.stride_b.col != 1))
    return "these types want A and B along K, which is --layout nt" + without;
  if (!tile.fits(call))
    return "each row of A and B, as stored, must begin at a multiple of 16 bytes: change --lda and --ldb" + without;
  return "";
}

}  // namespace

int main(int argc, char** argv) {
  GemmChapter chapter;
  chapter.name = "06_shared_memory_tiling";
  chapter.adds = "tiles in shared memory: copied once by a block, read by all of its warps";
  chapter.types = matrix_types();
  for (GemmTypes& types : chapter.types) {
    if (!widens(types)) types.layouts = {"nt"};
  }
  chapter.m = 256;
  chapter.n = 128;
  chapter.k = 32;
  chapter.run = [](GemmCall const& call) { choice(call).launch(call); };
  chapter.refuses = refuses;
  chapter.note = note_of_fma;
  chapter.figures = tiling_figures;
  return gemm_main(argc, argv, chapter);
}
