// The chapter's program: a GEMM of 16-bit operands at the limit of a Hopper GPU, and the variants that lead there.
// ./tutorial run 20 builds and runs it.

#include "plan.hpp"     // hopper_planner, run_hopper, variants

#include <tilestep/harness/chapter_figures.hpp>  // chapter_figures
#include <tilestep/harness/gemm_chapter.hpp>     // GemmChapter

int main(int argc, char** argv) {
  using namespace tilestep;
  auto const type = [](DType dtype, DType out) {
    return GemmTypes{.dtype = dtype, .acc = DType::f32, .out = out, .targets = {"sm90"}, .truncating = true};
  };
  GemmChapter chapter;
  chapter.name = "20_hopper";
  chapter.adds = "warps that each have a role, clusters, C stored by TMA: Hopper at its limit";
  chapter.types = {type(DType::bf16, DType::bf16), type(DType::bf16, DType::f32), type(DType::f16, DType::f16),
                   type(DType::f16, DType::f32)};
  chapter.kernels = variants();
  chapter.m = 129;
  chapter.n = 136;
  chapter.k = 72;
  chapter.epilogues = true;
  chapter.schedules = true;
  chapter.run = [](GemmCall const& call) { run_hopper(call, hopper_planner().plan_for(call)); };
  chapter.figures = chapter_figures;
  chapter.note = [](GemmCall const& call) { return describe(hopper_planner().plan_for(call)); };
  return gemm_main(argc, argv, chapter, hopper_planner().own_options());
}
