// Which kernels multiply, and what the parts of a product share.

#include "products.hpp"

namespace tilestep {

// Of chapters 17 and 20, whose plan.cpp this program is linked with.
GemmPlanner& planner();
GemmPlanner& hopper_planner();
bool hopper_computes(GemmCall const& call);
void run_hopper(GemmCall const& call, GemmPlan const& plan);

namespace {

/// The call as chapter 20's kernels know it.
GemmCall for_hopper(GemmCall call) {
  call.kernel = "tuned";
  return call;
}

}  // namespace

// [planned]
/// The slices and the transposition of a whole product, for its parts. Chapter 17's tiles share K among warps in
/// several ways, so the tile counts as well; chapter 20's add along K in one order.
GemmWishes as_planned(GemmCall const& whole) {
  bool const by_hopper = hopper_computes(whole);
  GemmPlan const plan = by_hopper ? hopper_planner().plan_for(for_hopper(whole), {}) : planner().plan_for(whole, {});
  GemmWishes wishes{.tile = by_hopper ? "auto" : plan.choice.name, .exchange = plan.job.transposed ? "yes" : "no"};
  wishes.schedule.split_k = plan.job.schedule.slices;
  return wishes;
}
// [planned]

void multiply(GemmCall const& call, GemmWishes const& wishes) {
  if (call.m == 0 || call.n == 0) return;
  if (!hopper_computes(call)) return run(planner().plan_for(call, wishes));
  GemmCall const tuned = for_hopper(call);
  run_hopper(tuned, hopper_planner().plan_for(tuned, wishes));
}

}  // namespace tilestep
