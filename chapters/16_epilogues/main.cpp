// The chapter's program: chapter 15's GEMM with an epilogue.
// ./tutorial run 16 builds and runs it.

#include <tilestep/harness/chapter_figures.hpp>  // chapter_figures
#include <tilestep/harness/gemm_plan.hpp>        // GemmPlan, run
#include <tilestep/harness/tile_plan.hpp>        // TilePlan, order_options

namespace {

using namespace tilestep;

ScheduleOptions options;

TilePlan plan_for(GemmCall const& call) {
  GemmChoice const choice = first_kernel_for(call);
  return {call, choice, schedule_for(call, choice.tile, options)};
}

/// Copies of operands that need one, the kernel, and the second pass where K is in slices.
void run_planned(GemmCall const& call) {
  TilePlan const plan = plan_for(call);
  run(GemmPlan{{plan.call, plan.schedule}, plan.choice});
}

std::string note(GemmCall const& call) { return describe(plan_for(call)); }

GemmOwnOptions own_options() {
  GemmOwnOptions own = order_options(options, plan_for);
  own.declare = [of_order = own.declare](CommandLine& line) {
    of_order(line);
    line.add("--split-k", options.split_k,
             "slices of K, whose second pass has the epilogue; 0: as many as give each compute unit a block");
  };
  own.instead = [of_order = own.instead](CommandLine const& line, GemmCall const& call) {
    if (options.split_k < 0 || options.split_k > 4096)
      bad_input("--split-k " + std::to_string(options.split_k) + ": needs a number of slices, 1 to 4096");
    return of_order(line, call);
  };
  return own;
}

}  // namespace

int main(int argc, char** argv) {
  GemmChapter chapter;
  chapter.name = "16_epilogues";
  chapter.adds = "the sums' way to C: wide rows through shared memory; bias, activation, residual and f16 on the way";
  chapter.types = {{.dtype = DType::f16, .acc = DType::f32, .out = DType::f32, .truncating = true},
                   {.dtype = DType::f16, .acc = DType::f32, .out = DType::f16, .truncating = true},
                   {.dtype = DType::f32, .acc = DType::f32, .out = DType::f32}};
  chapter.m = 129;
  chapter.n = 129;
  chapter.k = 67;
  chapter.epilogues = true;
  chapter.run = run_planned;
  chapter.note = note;
  chapter.figures = chapter_figures;
  return gemm_main(argc, argv, chapter, own_options());
}
