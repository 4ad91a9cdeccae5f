// The chapter's program: blocks of C through shared memory, on whatever matrix instruction the target has for the types of the problem.

#include "families.hpp"  // Choice, the kernels of each family
#include "figures.hpp"   // the chapter's pictures

namespace {

using namespace tilestep;

/// A, B and C in `dtype`, `acc` for the sums, C in `out`; on matrix instructions that cut their sums.
GemmTypes on_matrix_instructions(DType dtype, DType acc, DType out, std::vector<std::string> layouts, std::vector<std::string> targets = {}) {
  return {.dtype = dtype, .acc = acc, .out = out, .targets = std::move(targets), .truncating = !is_integer(acc), .layouts = std::move(layouts)};
}

Choice choose(GemmCall const& call) {
  for (auto* kernel : {nvidia_f16_kernel, nvidia_kernel, cdna_f16_kernel, cdna_kernel, rdna3_kernel, rdna4_kernel, fma_kernel}) {
    if (auto const choice = kernel(call)) return *choice;
  }
  not_here("no kernel for these types on " + call.target);
}

/// Whole tiles in vectors of 16 bytes, and no loop along K: says what does not fit.
std::string refuses(GemmCall const& call) {
  Choice const tile = choose(call);
  auto const multiple = [](std::int64_t extent, int of) { return extent % of == 0; };
  std::string const without = "; 07_k_loop has no such limit";
  if (!multiple(call.m, tile.m) || !multiple(call.n, tile.n) || call.k != tile.k) {
    return "these types on " + call.target + " want M a multiple of " + std::to_string(tile.m) + ", N of " + std::to_string(tile.n) +
           ", and K = " + std::to_string(tile.k) + without;
  }
  bool const every_layout = call.out == DType::f32 && (call.dtype == DType::f16 || call.dtype == DType::bf16);
  if (!every_layout && (call.stride_a.col != 1 || call.stride_b.col != 1)) return "these types want A and B along K, which is --layout nt" + without;
  if (!tile.fits(call)) return "each row of A and B, as stored, must begin at a multiple of 16 bytes: change --lda and --ldb" + without;
  return "";
}

/// What the reader should know about how these types are computed here.
std::string note(GemmCall const& call) {
  if (call.dtype != DType::f32 || has_instruction<CDNA_32x32x2_F32F32F32F32>(call.target)) return "";
  return "f32 on " + call.target + ": no such matrix instruction, computed by FMA";
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> const nvidia{"sm80", "sm90"}, every{}, nt{"nt"};
  GemmChapter chapter;
  chapter.name = "06_shared_memory_tiling";
  chapter.adds = "tiles in shared memory: copied once by a block, read by all of its warps";
  chapter.types = {
      on_matrix_instructions(DType::f16, DType::f32, DType::f32, every),
      on_matrix_instructions(DType::f16, DType::f32, DType::f16, nt),
      on_matrix_instructions(DType::f16, DType::f16, DType::f16, nt, nvidia),
      on_matrix_instructions(DType::bf16, DType::f32, DType::f32, every),
      on_matrix_instructions(DType::bf16, DType::f32, DType::bf16, nt),
      on_matrix_instructions(DType::tf32, DType::f32, DType::f32, nt, nvidia),
      on_matrix_instructions(DType::i8, DType::i32, DType::i32, nt),
      {.dtype = DType::f32, .acc = DType::f32, .out = DType::f32, .layouts = nt},
  };
  chapter.m = 256;
  chapter.n = 128;
  chapter.k = 32;
  chapter.run = [](GemmCall const& call) { choose(call).launch(call); };
  chapter.refuses = refuses;
  chapter.note = note;
  chapter.figures = tiling_figures;
  return gemm_main(argc, argv, chapter);
}
