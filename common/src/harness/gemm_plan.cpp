// What it includes is written for kernels, so the backend's compiler reads this file; it has none.

#include <tilestep/harness/gemm_plan.hpp>

#include <tilestep/harness/finish_slices.hpp>  // finish_slices
#include <tilestep/harness/repack.hpp>         // repack
#include <tilestep/harness/workspace.hpp>      // into_workspace

#include <algorithm>  // std::find_if, std::min_element
#include <cmath>      // std::log2
#include <cstdint>    // std::uintptr_t
#include <tuple>      // std::tie
#include <utility>    // std::swap

namespace tilestep {

namespace {

/// What people call a machine: a device has its own name for itself.
std::string name_of(Machine const& machine) { return on_virtual_gpu() ? std::string(machine.name) : device_name(); }

/// The layout in words: nn, nt, tn or tt.
std::string layout_of(GemmCall const& call) {
  return std::string(call.stride_a.col == 1 ? "n" : "t") + (call.stride_b.col == 1 ? "t" : "n");
}

/// The choice of this name, or the end.
GemmChoices::const_iterator named(GemmChoices const& choices, std::string const& name) {
  return std::find_if(choices.begin(), choices.end(), [&](GemmChoice const& choice) { return choice.name == name; });
}

/// Does what was planned for one call hold for another? Of pointers a plan knows whether vectors may start there;
/// factors and epilogue it does not see.
bool same_problem(GemmCall const& x, GemmCall const& y) {
  auto const same_start = [](void const* a, void const* b) {
    return reinterpret_cast<std::uintptr_t>(a) % 16 == reinterpret_cast<std::uintptr_t>(b) % 16;
  };
  auto const of = [](GemmCall const& c) {
    return std::tie(c.m, c.n, c.k, c.batch, c.dtype, c.acc, c.out, c.stride_a, c.stride_b, c.stride_c, c.kernel,
                    c.target, c.units);
  };
  return of(x) == of(y) && same_start(x.a, y.a) && same_start(x.b, y.b);
}

bool same_wishes(GemmWishes const& x, GemmWishes const& y) {
  auto const of = [](GemmWishes const& w) {
    return std::tie(w.tile, w.schedule.order, w.schedule.group, w.schedule.split_k, w.schedule.persistent);
  };
  return of(x) == of(y);
}

}  // namespace

// [nearest]
/// The row whose problem is nearest: by how many times its extents are larger or smaller.
TableRow const* nearest_row(std::span<TableRow const> table, GemmCall const& call) {
  auto const apart = [](std::int64_t a, std::int64_t b) {
    return std::abs(std::log2(double(std::max<std::int64_t>(a, 1)) / double(std::max<std::int64_t>(b, 1))));
  };
  TableRow const* nearest = nullptr;
  double least = 0;
  DType const measured = call.dtype == DType::bf16 ? DType::f16 : call.dtype;  // as fast as each other
  for (TableRow const& row : table) {
    if (row.dtype != measured) continue;
    double const distance = apart(call.m, row.m) + apart(call.n, row.n) + apart(call.k, row.k) +
                            (row.layout == layout_of(call) ? 0 : 0.1);
    if (!nearest || distance < least) {
      nearest = &row;
      least = distance;
    }
  }
  return nearest;
}
// [nearest]

GemmCall transposed(GemmCall call) {
  std::swap(call.m, call.n);
  std::swap(call.a, call.b);
  std::swap(call.stride_a, call.stride_b);
  std::swap(call.stride_c.row, call.stride_c.col);
  std::swap(call.epilogue.stride_residual.row, call.epilogue.stride_residual.col);
  return call;
}

int slices_with_tiles(int k_tiles, int slices) {
  if (k_tiles == 0) return 1;
  int const each = (k_tiles + slices - 1) / slices;
  return (k_tiles + each - 1) / each;
}

// [run]
void run(GemmPlan const& plan) {
  GemmJob job = plan.job;
  int const slices = job.schedule.slices;
  job.call = repack(job.call, plan.choice.copies_a, plan.choice.copies_b);
  if (slices == 1) return plan.choice.launch(job);
  GemmJob const sums{into_workspace(job.call, slices), job.schedule};
  plan.choice.launch(sums);
  finish_slices(job, sums.call, slices);
}
// [run]

std::string describe(GemmPlan const& plan) {
  TileSchedule const& s = plan.job.schedule;
  auto const number = [](auto value) { return std::to_string(value); };
  std::string text = number(s.tiles_m) + " x " + number(s.tiles_n) + " tiles of " + plan.choice.name;
  if (plan.job.transposed) text = "C^T: " + text;
  if (s.batches != 1) text += ", " + number(s.batches) + " times";
  if (s.slices != 1) text += ", K in " + number(s.slices) + " slices";
  text += s.group == 1 ? ", row by row" : ", in groups of " + number(s.group) + " rows";
  if (s.dies != 1) text += " on each of " + number(s.dies) + " dies";
  if (plan.choice.copies_a || plan.choice.copies_b)
    text += std::string(", on copies of ") + (!plan.choice.copies_b ? "A" : plan.choice.copies_a ? "A and B" : "B");
  return text;
}

GemmChoices fitting(GemmChoices const& choices, Machine const& machine) {
  GemmChoices fit;
  for (GemmChoice const& choice : choices) {
    if (choice.shared_bytes <= machine.shared_bytes) fit.push_back(choice);
  }
  if (fit.empty())
    not_here("no kernel for these types fits " + name_of(machine) + ", which gives a block " +
             std::to_string(machine.shared_bytes) + " bytes of shared memory");
  return fit;
}

GemmPlanner::GemmPlanner(GemmPlanning planning) : planning_(std::move(planning)) {}

/// All choices for a problem, in the chapter's order.
GemmChoices GemmPlanner::choices_for(GemmCall const& call) const {
  GemmChoices all;
  for (GemmChoice const& choice : planning_.choices(call)) {
    if (named(all, choice.name) == all.end()) all.push_back(choice);
  }
  if (all.empty()) not_here("no kernel for these types on " + call.target);
  return all;
}

GemmPlan GemmPlanner::planned(GemmCall const& call, bool exchanged, GemmChoice const& choice,
                              GemmWishes const& wishes) const {
  ScheduleOptions options = wishes.schedule;
  bool const sliced = options.split_k > 1 && call.acc != DType::f16;  // sums in f16 are refused
  if (sliced) options.split_k = slices_with_tiles(detail::tiles_along(call.k, choice.tile.k), int(options.split_k));
  return {{call, schedule_for(call, choice.tile, options), exchanged}, choice};
}

GemmPlan GemmPlanner::plan_for(GemmCall const& given, GemmWishes const& wishes) const {
  bool const exchange = planning_.exchanges(given);
  GemmCall const call = exchange ? transposed(given) : given;
  GemmChoices const every = choices_for(call), all = fitting(every, machine_for(call));
  if (wishes.tile != "auto") {
    auto const choice = named(all, wishes.tile);
    if (choice != all.end()) return planned(call, exchange, *choice, wishes);
    if (auto const large = named(every, wishes.tile); large != every.end()) {
      Machine const machine = machine_for(call);
      bad_input("--tile " + wishes.tile + " needs " + std::to_string(large->shared_bytes) +
                " bytes of shared memory for a block, and " + name_of(machine) + " has " +
                std::to_string(machine.shared_bytes) + ": choose a smaller tile");
    }
    std::string names;
    for (GemmChoice const& other : all) names += (names.empty() ? "" : ", ") + other.name;
    bad_input("--tile " + wishes.tile + ": for these types, " + call.target + " has " + names);
  }
  if (TableRow const* row = nearest_row(planning_.table(call.target), given)) {
    if (auto const choice = named(all, row->tile); choice != all.end()) {
      GemmWishes both = wishes;
      if (both.schedule.split_k == 0 && call.acc != DType::f16) both.schedule.split_k = row->split_k;
      if (both.schedule.group == 0) both.schedule.group = row->group;
      return planned(call, exchange, *choice, both);
    }
  }
  std::vector<GemmPlan> plans;
  for (GemmChoice const& choice : all) plans.push_back(planned(call, exchange, choice, wishes));
  auto const cost = [&](GemmPlan const& plan) { return planning_.cost(plan.job.call, plan.choice, plan.job.schedule); };
  return *std::min_element(plans.begin(), plans.end(),
                           [&](GemmPlan const& a, GemmPlan const& b) { return cost(a) < cost(b); });
}

GemmPlan GemmPlanner::plan_for(GemmCall const& call) const {
  if (!last_ || !same_wishes(last_->wishes, asked_) || !same_problem(last_->call, call))
    last_ = Remembered{call, asked_, plan_for(call, asked_)};
  GemmPlan plan = last_->plan;
  plan.job.call = plan.job.transposed ? transposed(call) : call;
  return plan;
}

/// What --tune measures of a problem.
std::vector<GemmCandidate> GemmPlanner::candidates(GemmCall const& call) const {
  std::vector<GemmCandidate> candidates;
  GemmCall const way = planning_.exchanges(call) ? transposed(call) : call;
  int const units = machine_for(call).compute_units;
  for (GemmChoice const& choice : fitting(choices_for(way), machine_for(way))) {
    std::int64_t const tiles = std::int64_t(detail::tiles_along(way.m, choice.tile.m)) *
                               detail::tiles_along(way.n, choice.tile.n) * way.batch;
    for (int const slices : planning_.slices) {
      if (slices > 1 &&
          (call.acc == DType::f16 || slices * tiles > 3 * units * choice.tile.resident || way.k / slices < 256))
        continue;
      int const taken = slices_with_tiles(detail::tiles_along(way.k, choice.tile.k), slices);
      for (int const group : planning_.groups) {
        if (group != 0 && (slices > 1 || tiles < 2 * units)) continue;
        GemmWishes const wishes{choice.name, {.group = group, .split_k = taken}};
        std::string name = wishes.tile;
        if (taken != 1) name += " split_k=" + std::to_string(taken);
        if (group != 0) name += " group=" + std::to_string(group);
        bool const known = std::any_of(candidates.begin(), candidates.end(),
                                       [&](GemmCandidate const& other) { return other.name == name; });
        if (known) continue;  // two numbers of slices may leave the same number with tiles
        candidates.push_back({name, [this, wishes](GemmCall const& problem) { run(plan_for(problem, wishes)); }});
      }
    }
  }
  return candidates;
}

GemmOwnOptions GemmPlanner::own_options() {
  GemmOwnOptions own;
  own.declare = [this](CommandLine& line) {
    asked_ = {}, only_plan_ = false;  // a process may run several command lines
    line.add("--tile", asked_.tile, "the tile by its extents, such as 128x256x32; auto: what suits the problem");
    line.add("--group", asked_.schedule.group, "rows of tiles that are walked together; 0: what suits the problem");
    line.add("--split-k", asked_.schedule.split_k, "slices of K, added by a second pass; 0: what suits the problem");
    line.add("--plan", only_plan_, "print what would run, and stop");
  };
  own.parameters = [this] {
    std::string text;
    auto const add = [&](bool given, std::string const& option) {
      text += given ? (text.empty() ? "" : " ") + option : "";
    };
    std::string const quote = asked_.tile.find(' ') == std::string::npos ? "" : "'";
    add(asked_.tile != "auto", "--tile " + quote + asked_.tile + quote);
    add(asked_.schedule.group != 0, "--group " + std::to_string(asked_.schedule.group));
    add(asked_.schedule.split_k != 0, "--split-k " + std::to_string(asked_.schedule.split_k));
    return text.empty() ? std::vector<std::pair<std::string, Record::Value>>{}
                        : std::vector<std::pair<std::string, Record::Value>>{{"options", text}};
  };
  own.instead = [this](CommandLine const& line, GemmCall const& call) {
    auto const& [order, group, split_k, persistent] = asked_.schedule;
    if (group < 0 || group > INT32_MAX)
      bad_input("--group " + std::to_string(group) + ": needs a number of rows of tiles, 1 or more");
    if (split_k < 0 || split_k > 4096)
      bad_input("--split-k " + std::to_string(split_k) + ": needs a number of slices, 1 to 4096");
    std::string const plan = describe(plan_for(call));
    if (only_plan_) line.out() << plan << "\n";
    return only_plan_;
  };
  own.candidates = [this](GemmCall const& call) { return candidates(call); };
  return own;
}

}  // namespace tilestep
