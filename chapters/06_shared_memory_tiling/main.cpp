// The chapter's program: blocks of C through shared memory, with every step written out in f32, and with a TiledCopy on
// whatever matrix instruction the target has for the types of the problem.
// ./tutorial run 06 builds and runs it.

#include <tilestep/harness/chapter_figures.hpp>  // chapter_figures
#include <tilestep/harness/gemm_choices.hpp>     // first_kernel_for, run_first_kernel
#include <tilestep/harness/gemm_types.hpp>       // way_types

namespace {

using namespace tilestep;

/// Whole tiles, in vectors of 16 bytes but by hand, and no loop along K: says what does not fit.
std::string refuses(GemmCall const& call) {
  if (call.kernel == "by_hand" && call.dtype != DType::f32)
    return "--kernel by_hand is for f32: add --dtype f32 --layout nt --k 8";
  GemmChoice const choice = first_kernel_for(call);
  TileOfBlock const& tile = choice.tile;
  auto const multiple = [](std::int64_t extent, int of) { return extent % of == 0; };
  std::string const without = "; 07_k_loop has no such limit";
  if (!multiple(call.m, tile.m) || !multiple(call.n, tile.n) || call.k != tile.k) {
    return "these types on " + call.target + " want M a multiple of " + std::to_string(tile.m) + ", N of " +
           std::to_string(tile.n) + ", and K = " + std::to_string(tile.k) + without;
  }
  if (call.dtype == DType::f32 && (call.stride_a.col != 1 || call.stride_b.col != 1))
    return "these types want A and B along K, which is --layout nt" + without;
  if (choice.launch == nullptr)
    return "each row of A and B, as stored, must begin at a multiple of 16 bytes: change --lda and --ldb" + without;
  return "";
}

}  // namespace

int main(int argc, char** argv) {
  GemmChapter chapter;
  chapter.name = "06_shared_memory_tiling";
  chapter.adds = "tiles in shared memory: copied once by a block, read by all of its warps";
  chapter.types = way_types();
  for (GemmTypes& types : chapter.types) {
    if (types.dtype == DType::f32) types.layouts = {"nt"};
  }
  chapter.kernels = {"by_hand", "tiled"};
  chapter.m = 256;
  chapter.n = 128;
  chapter.k = 32;
  chapter.run = run_first_kernel;
  chapter.refuses = refuses;
  chapter.figures = chapter_figures;
  return gemm_main(argc, argv, chapter);
}
