// The chapter's program: chapter 14's GEMM with its copies between the products, one block for each tile.
// ./tutorial run 15 builds and runs it.

#include <tilestep/harness/chapter_figures.hpp>  // chapter_figures
#include <tilestep/harness/gemm_types.hpp>       // way_types
#include <tilestep/harness/split_k.hpp>          // into_workspace, add_slices
#include <tilestep/harness/tile_plan.hpp>        // TilePlan, order_options

namespace {

using namespace tilestep;

ScheduleOptions options;

TilePlan plan_for(GemmCall const& call) {
  GemmChoice const choice = first_kernel_for(call);
  return {call, choice, schedule_for(call, choice.tile, options)};
}

/// Copies of operands that need one, the kernel, and the second pass where K is in slices.
void run(GemmCall const& call) {
  TilePlan const plan = plan_for(call);
  int const slices = plan.schedule.slices;
  if (slices <= 1) return launch_choice(plan.choice, {plan.call, plan.schedule});
  GemmCall const operands = repack(plan.call, plan.choice.copies_a, plan.choice.copies_b);
  GemmCall const sums = into_workspace(operands, slices);
  plan.choice.launch({sums, plan.schedule});
  add_slices(plan.call, sums, slices);
}

std::string note(GemmCall const& call) { return describe(plan_for(call)); }

GemmOwnOptions own_options() {
  GemmOwnOptions own = order_options(options, plan_for);
  own.declare = [of_order = own.declare](CommandLine& line) {
    of_order(line);
    line.add("--split-k", options.split_k,
             "slices of K, added by a second pass; 0: as many as give each compute unit a block");
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
  chapter.name = "15_interleaving";
  chapter.adds = "the order of issue: copies of a later tile and reads of fragments between the matrix instructions";
  chapter.types = way_types();
  chapter.m = 129;
  chapter.n = 129;
  chapter.k = 67;
  chapter.run = run;
  chapter.note = note;
  chapter.figures = chapter_figures;
  return gemm_main(argc, argv, chapter, own_options());
}
