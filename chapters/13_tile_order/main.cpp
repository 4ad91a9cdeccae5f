// The chapter's program: chapter 12's GEMM with its tiles in an order.
// ./tutorial run 13 builds and runs it.

#include <tilestep/harness/chapter_figures.hpp>  // chapter_figures
#include <tilestep/harness/gemm_types.hpp>       // way_types
#include <tilestep/harness/tile_plan.hpp>        // TilePlan, order_options

namespace {

using namespace tilestep;

ScheduleOptions options;

// [plan]
TilePlan plan_for(GemmCall const& call) {
  GemmChoice const choice = first_kernel_for(call);
  ScheduleOptions whole = options;
  whole.split_k = 1;  // each block sums over all of K
  return {call, choice, schedule_for(call, choice.tile, whole)};
}
// [plan]

void run(GemmCall const& call) {
  TilePlan const plan = plan_for(call);
  launch_choice(plan.choice, {plan.call, plan.schedule});
}

std::string note(GemmCall const& call) { return describe(plan_for(call)); }

}  // namespace

int main(int argc, char** argv) {
  GemmChapter chapter;
  chapter.name = "13_tile_order";
  chapter.adds =
      "which block computes which tile: what a wave of blocks reads, groups of rows for L2, a remap for dies";
  chapter.types = way_types();
  chapter.m = 129;
  chapter.n = 129;
  chapter.k = 67;
  chapter.run = run;
  chapter.note = note;
  chapter.figures = chapter_figures;
  return gemm_main(argc, argv, chapter, order_options(options, plan_for));
}
