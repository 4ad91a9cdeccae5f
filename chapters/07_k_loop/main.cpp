// The chapter's program: a K-loop through shared memory, on whatever matrix instruction the target has for the types of the problem.

#include "families.hpp"  // run_nvidia, run_cdna, run_rdna3, run_rdna4, run_fma
#include "figures.hpp"   // the chapter's pictures

namespace {

using namespace tilestep;

/// A, B and C in `dtype`, `acc` for the sums, C in `out`; on matrix instructions that cut their sums.
GemmTypes on_matrix_instructions(DType dtype, DType acc, DType out, std::vector<std::string> targets = {}) {
  return {.dtype = dtype, .acc = acc, .out = out, .targets = std::move(targets), .truncating = !is_integer(acc)};
}

void run(GemmCall const& call) {
  if (run_nvidia(call) || run_cdna(call) || run_rdna3(call) || run_rdna4(call) || run_fma(call)) return;
  not_here("no kernel for these types on " + call.target);
}

// [note]
/// What the reader should know about how these types are computed here.
std::string note(GemmCall const& call) {
  if (call.dtype != DType::f32 || has_instruction<CDNA_32x32x2_F32F32F32F32>(call.target)) return "";
  return "f32 on " + call.target + ": no such matrix instruction, computed by FMA";
}
// [note]

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> const nvidia{"sm80", "sm90"};
  GemmChapter chapter;
  chapter.name = "07_k_loop";
  chapter.adds = "the K-loop: tiles through shared memory, sums in registers, every size";
  chapter.types = {
      on_matrix_instructions(DType::f16, DType::f32, DType::f32),
      on_matrix_instructions(DType::f16, DType::f32, DType::f16),
      on_matrix_instructions(DType::f16, DType::f16, DType::f16, nvidia),
      on_matrix_instructions(DType::bf16, DType::f32, DType::f32),
      on_matrix_instructions(DType::bf16, DType::f32, DType::bf16),
      on_matrix_instructions(DType::tf32, DType::f32, DType::f32, nvidia),
      on_matrix_instructions(DType::i8, DType::i32, DType::i32),
      {DType::f32, DType::f32, DType::f32},
  };
  chapter.m = 129;
  chapter.n = 129;
  chapter.k = 67;
  chapter.run = run;
  chapter.note = note;
  chapter.figures = k_loop_figures;
  return gemm_main(argc, argv, chapter);
}
