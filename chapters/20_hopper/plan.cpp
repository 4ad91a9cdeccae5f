// What the chapter's plans are made of: its choices, and what each would cost. An ordinary source: it launches nothing
// itself.

#include "plan.hpp"

#include "model.hpp"  // predicted, tma_takes

#include <tilestep/backend/wgmma_instruction.hpp>  // SM90_64xNx16_SS, has_instruction
#include <tilestep/harness/finish_slices.hpp>      // finish_slices

namespace tilestep {

namespace {

constexpr char const* tuned = "tuned";

/// Few rows are few columns of the transposed product: a tile may have 16 of those, but no fewer than 64 rows. What
/// sums are added to, threads read for C^T, element by element, and TMA for C: many rows stay as they are.
std::vector<bool> ways(GemmCall const& call) {
  bool const few_rows = call.m < call.n && call.m <= 32, adds = call.beta != 0 || call.epilogue.has_residual;
  if (call.kernel != tuned || (adds && !few_rows)) return {false};
  return {few_rows, !few_rows};
}

/// Groups of few rows of tiles, too, where threads store rows of C: so that lines of memory leave L2 whole.
std::vector<int> weighed_groups(GemmCall const& call) {
  bool const by_threads = call.stride_c.col == 1 && !tma_takes(call, call.stride_c);
  return call.kernel == tuned && by_threads ? std::vector{0, 2} : std::vector{0};
}

}  // namespace

std::vector<std::string> variants() {
  return {"producer", "cluster", "persistent", "copied_out", "ping_pong", tuned};
}

GemmPlanner& hopper_planner() {
  static GemmPlanner chapters({.choices = kernels_for,
                               .cost = predicted,
                               .weighs_slices = [](GemmCall const& call) { return call.kernel == tuned; },
                               .weighed_groups = weighed_groups,
                               .ways = ways,
                               .slices = {1, 2, 3, 4, 5, 6, 8, 12, 16, 24, 32, 64},
                               .groups = {0, 2, 16}});
  return chapters;
}

bool hopper_computes(GemmCall const& call) {
  return has_instruction<SM90_64xNx16_SS<256, DType::f16>>(call.target) && bytes_of(call.dtype) == 2 &&
         call.acc == DType::f32 && (call.out == DType::f32 || call.out == call.dtype);
}

void run_hopper(GemmCall const& call, GemmPlan const& plan) {
  if (call.m == 0 || call.n == 0 || call.batch == 0) return;
  if (call.k > 0) run(plan);
  else finish_slices(plan.job, call, 0);  // there is nothing to multiply
}

}  // namespace tilestep
