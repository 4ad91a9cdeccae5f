// What it includes is written for kernels, so the backend's compiler reads this file; it has none.

#include <tilestep/harness/gemm_plan.hpp>

#include <tilestep/harness/finish_slices.hpp>  // finish_slices
#include <tilestep/harness/workspace.hpp>      // into_workspace

#include <algorithm>  // std::find_if, std::min_element
#include <cmath>      // std::log2
#include <cstdint>    // std::uintptr_t
#include <memory>     // what a candidate remembers
#include <numeric>    // std::iota
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
    return std::tie(w.tile, w.exchange, w.schedule.order, w.schedule.group, w.schedule.split_k, w.schedule.persistent);
  };
  return of(x) == of(y);
}

}  // namespace

TableRow const* row_of(std::span<TableRow const> table, GemmCall const& call) {
  DType const measured = call.dtype == DType::bf16 ? DType::f16 : call.dtype;
  auto const row = std::find_if(table.begin(), table.end(), [&](TableRow const& each) {
    return each.dtype == measured && each.m == call.m && each.n == call.n && each.k == call.k &&
           each.layout == layout_of(call);
  });
  return row == table.end() ? nullptr : &*row;
}

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

namespace {

/// A pointer so many bytes on. Null stays null: what is planned may have no operands yet.
void const* advanced(void const* data, std::int64_t bytes) {
  return data == nullptr ? nullptr : static_cast<char const*>(data) + bytes;
}

/// `count` rows of C from `first` on, or columns.
GemmJob part_of(GemmJob job, bool along_m, std::int64_t first, std::int64_t count) {
  GemmCall& call = job.call;
  auto const of = [&](DType dtype, Strides const& s) { return first * (along_m ? s.row : s.col) * bytes_of(dtype); };
  if (along_m) call.a = advanced(call.a, of(call.dtype, call.stride_a));
  else call.b = advanced(call.b, first * call.stride_b.row * bytes_of(call.dtype));
  call.c = const_cast<void*>(advanced(call.c, of(call.out, call.stride_c)));
  call.epilogue.residual = advanced(call.epilogue.residual, of(call.out, call.epilogue.stride_residual));
  bool const along_bias = along_m == job.transposed;
  if (along_bias) call.epilogue.bias = advanced(call.epilogue.bias, first * (call.acc == DType::f64 ? 8 : 4));
  (along_m ? call.m : call.n) = count;
  return job;
}

/// Launches a kernel on operands as it needs them, and the second pass.
void run_on(GemmChoice const& choice, GemmJob const& job) {
  int const slices = job.schedule.slices;
  if (slices == 1) return choice.launch(job);
  GemmJob const sums{into_workspace(job.call, slices), job.schedule, false, job.copied_a, job.copied_b};
  choice.launch(sums);
  finish_slices(job, sums.call, slices);
}

}  // namespace

// [run]
void run(GemmPlan const& plan) {
  GemmJob const job = on_copies(plan.choice, plan.job);
  if (!plan.rest) return run_on(plan.choice, job);
  auto const& [along_m, from, exchanged, choice, schedule] = *plan.rest;
  GemmJob rest = part_of(job, along_m, from, (along_m ? job.call.m : job.call.n) - from);
  rest.schedule = schedule;
  if (exchanged) {
    rest.call = transposed(rest.call), rest.transposed = !rest.transposed;
    std::swap(rest.copied_a, rest.copied_b);
  }
  run_on(plan.choice, part_of(job, along_m, 0, from));
  run_on(choice, rest);
}
// [run]

std::string describe(GemmPlan const& plan) {
  auto const number = [](auto value) { return std::to_string(value); };
  auto const tiles = [&](GemmChoice const& choice, TileSchedule const& s) {
    std::string text = number(s.tiles_m) + " x " + number(s.tiles_n) + " tiles of " + choice.name;
    if (s.batches != 1) text += ", " + number(s.batches) + " times";
    if (s.slices != 1) text += ", K in " + number(s.slices) + " slices";
    text += s.group == 1 ? ", row by row" : ", in groups of " + number(s.group) + " rows";
    if (s.dies != 1) text += " on each of " + number(s.dies) + " dies";
    return text;
  };
  std::string text = (plan.job.transposed ? "C^T: " : "") + tiles(plan.choice, plan.job.schedule);
  if (plan.rest) {
    bool const back = plan.rest->exchanged && plan.job.transposed;
    text += std::string(", and ") + (back ? "C: " : plan.rest->exchanged ? "C^T: " : "") +
            tiles(plan.rest->choice, plan.rest->schedule);
  }
  if (plan.choice.copies_a || plan.choice.copies_b)
    text += std::string(", on copies of ") + (!plan.choice.copies_b ? "A" : plan.choice.copies_a ? "A and B" : "B");
  return text;
}

GemmChoices fitting(GemmChoices const& choices, Machine const& machine) {
  GemmChoices fit;
  for (GemmChoice const& choice : choices) {
    if (choice.shared_bytes > machine.shared_bytes) continue;
    fit.push_back(choice);
    int& resident = fit.back().tile.resident;
    resident = std::min(resident, blocks_with_shared(machine, choice.shared_bytes));
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

/// Those whose blocks find room on the call's machine.
GemmChoices GemmPlanner::all_for(GemmCall const& call) const { return fitting(choices_for(call), machine_for(call)); }

GemmPlan GemmPlanner::planned(GemmCall const& call, bool exchanged, GemmChoice const& choice,
                              GemmWishes const& wishes) const {
  ScheduleOptions options = wishes.schedule;
  bool const sliced = options.split_k > 1 && call.acc != DType::f16;  // sums in f16 are refused
  if (sliced) options.split_k = slices_with_tiles(detail::tiles_along(call.k, choice.tile.k), int(options.split_k));
  return {{call, schedule_for(call, choice.tile, options), exchanged}, choice};
}

std::vector<bool> GemmPlanner::ways_for(GemmCall const& call, GemmWishes const& wishes) const {
  if (wishes.exchange == "auto") return planning_.ways(call);
  return {wishes.exchange == "yes"};
}

/// The choice that was asked for by its name.
GemmChoice GemmPlanner::asked_choice(GemmCall const& call, std::string const& name) const {
  GemmChoices const every = choices_for(call), all = fitting(every, machine_for(call));
  if (auto const choice = named(all, name); choice != all.end()) return *choice;
  if (auto const large = named(every, name); large != every.end()) {
    Machine const machine = machine_for(call);
    bad_input("--tile " + name + " needs " + std::to_string(large->shared_bytes) +
              " bytes of shared memory for a block, and " + name_of(machine) + " has " +
              std::to_string(machine.shared_bytes) + ": choose a smaller tile");
  }
  std::string names;
  for (GemmChoice const& other : all) {
    if (!other.needless_copies) names += (names.empty() ? "" : ", ") + other.name;
  }
  bad_input("--tile " + name + ": for these types, " + call.target + " has " + names);
}

/// May K be in so many slices, where so many tiles are in work at once?
bool GemmPlanner::allows_slices(GemmCall const& call, GemmChoice const& choice, int slices, int at_once) const {
  std::int64_t const tiles = std::int64_t(detail::tiles_along(call.m, choice.tile.m)) *
                             detail::tiles_along(call.n, choice.tile.n) * call.batch;
  return slices == 1 || (call.acc != DType::f16 && slices * tiles <= std::int64_t(planning_.most_rounds) * at_once &&
                         call.k / slices >= planning_.shortest_slice);
}

/// Such tiles that are in work at the same time.
int GemmPlanner::at_once(GemmCall const& call, GemmChoice const& choice) const {
  return choice.at_once > 0 ? choice.at_once : machine_for(call).compute_units * choice.tile.resident;
}

/// Slices of K to compare; 0: as many as the schedule suggests.
std::vector<int> GemmPlanner::slices_for(GemmCall const& call, GemmChoice const& choice,
                                         GemmWishes const& wishes) const {
  if (!planning_.weighs_slices(call) || wishes.schedule.split_k != 0) return {int(wishes.schedule.split_k)};
  std::vector<int> some = planning_.slices;
  if (planning_.most_slices > 0) {
    some.resize(std::size_t(planning_.most_slices));
    std::iota(some.begin(), some.end(), 1);
  }
  std::erase_if(some, [&](int slices) { return !allows_slices(call, choice, slices, at_once(call, choice)); });
  return some;
}

/// Every plan that computes a problem on one of these.
std::vector<GemmPlan> GemmPlanner::plans_on(GemmChoices const& choices, GemmCall const& call, bool exchanged,
                                            GemmWishes const& wishes) const {
  std::vector<GemmPlan> plans;
  std::vector<int> const groups =
      wishes.schedule.group != 0 ? std::vector{int(wishes.schedule.group)} : planning_.weighed_groups(call);
  for (GemmChoice const& choice : choices) {
    for (int const slices : slices_for(call, choice, wishes)) {
      for (int const group : groups) {
        GemmWishes each = wishes;
        each.schedule.split_k = slices, each.schedule.group = group;
        plans.push_back(planned(call, exchanged, choice, each));
        GemmPlan& plan = plans.back();
        plan.cost = planning_.cost(plan.job.call, plan.choice, plan.job.schedule);
      }
    }
  }
  return plans;
}

namespace {

bool costs_less(GemmPlan const& a, GemmPlan const& b) { return a.cost < b.cost; }

GemmPlan cheapest(std::vector<GemmPlan> const& plans) {
  return *std::min_element(plans.begin(), plans.end(), costs_less);
}

/// Of these, what needs the copies that `first` has made; exchanged, their A is its B.
GemmChoices on_the_same_copies(GemmChoice const& first, bool exchanged, GemmChoices choices) {
  std::erase_if(choices, [&](GemmChoice const& each) {
    return (exchanged ? each.copies_b : each.copies_a) != first.copies_a ||
           (exchanged ? each.copies_a : each.copies_b) != first.copies_b;
  });
  for (GemmChoice& each : choices) each.copies_a = each.copies_b = false;
  return choices;
}

}  // namespace

// [two]
/// Plans that cost less than `least` in two parts: rows or columns of C that fill rounds of a tile, or all that fill
/// tiles; then the rest as suits it, which may be its transposed product.
std::vector<GemmPlan> GemmPlanner::plans_in_two(GemmCall const& call, bool exchanged, GemmWishes const& wishes,
                                                double least) const {
  std::vector<GemmPlan> plans;
  for (GemmChoice const& choice : all_for(call)) {
    GemmPlan const one = planned(call, exchanged, choice, {.schedule = {.split_k = 1}});
    TileSchedule const& s = one.job.schedule;
    if (s.tiles() == 0) continue;
    int const slots = at_once(call, choice), in_rounds = s.tiles() / slots * slots;
    for (bool const along_m : {true, false}) {
      std::int64_t const line = std::int64_t(s.batches) * (along_m ? s.tiles_n : s.tiles_m);  // of tiles
      std::int64_t const size = along_m ? choice.tile.m : choice.tile.n, extent = along_m ? call.m : call.n;
      for (std::int64_t const from : {in_rounds / line * size, extent / size * size}) {
        if (from == 0 || from >= extent) continue;
        GemmPlan plan = cheapest(plans_on({choice}, part_of(one.job, along_m, 0, from).call, exchanged, {}));
        plan.cost += *planning_.further_launch;
        if (plan.cost >= least) continue;
        plan.job.call = call;
        GemmCall const behind = part_of(one.job, along_m, from, extent - from).call;
        std::vector<GemmPlan> rests;
        for (bool const exchange : wishes.exchange == "auto" ? planning_.ways(behind) : std::vector{false}) {
          GemmCall const after = exchange ? transposed(behind) : behind;
          GemmChoices const choices = on_the_same_copies(choice, exchange, all_for(after));
          for (GemmPlan& rest : plans_on(choices, after, exchange, {})) rests.push_back(std::move(rest));
        }
        if (rests.empty()) continue;
        GemmPlan const rest = cheapest(rests);
        plan.cost += rest.cost;
        plan.rest = GemmRest{along_m, from, rest.job.transposed, rest.choice, rest.job.schedule};
        if (plan.cost < least) plans.push_back(plan);
      }
    }
  }
  return plans;
}
// [two]

GemmPlan GemmPlanner::plan_for(GemmCall const& given, GemmWishes const& wishes) const {
  std::vector<GemmPlan> plans;
  TableRow const* row = row_of(planning_.table(given.target), given);
  for (bool const exchange : ways_for(given, wishes)) {
    GemmCall const call = exchange ? transposed(given) : given;
    if (wishes.tile != "auto") return planned(call, exchange, asked_choice(call, wishes.tile), wishes);
    GemmChoices const all = all_for(call);
    if (auto const choice = row != nullptr ? named(all, row->tile) : all.end(); choice != all.end()) {
      GemmWishes both = wishes;
      if (both.schedule.split_k == 0 && call.acc != DType::f16) both.schedule.split_k = row->split_k;
      if (both.schedule.group == 0) both.schedule.group = row->group;
      return planned(call, exchange, *choice, both);
    }
    for (GemmPlan& plan : plans_on(all, call, exchange, wishes)) plans.push_back(std::move(plan));
  }
  if (!planning_.further_launch || wishes.schedule.split_k != 0 || wishes.schedule.group != 0) return cheapest(plans);
  double const least = 0.97 * cheapest(plans).cost;  // two parts that promise less did not gain
  for (bool const exchange : ways_for(given, wishes)) {
    GemmCall const call = exchange ? transposed(given) : given;
    for (GemmPlan& plan : plans_in_two(call, exchange, wishes, least)) plans.push_back(std::move(plan));
  }
  return cheapest(plans);
}

/// The plan of the call before, if this one differs from it in pointers alone; else a new one.
GemmPlan GemmPlanner::remembered(std::optional<Remembered>& last, GemmCall const& call,
                                 GemmWishes const& wishes) const {
  if (!last || !same_wishes(last->wishes, wishes) || !same_problem(last->call, call))
    last = Remembered{call, wishes, plan_for(call, wishes)};
  GemmPlan plan = last->plan;
  plan.job.call = plan.job.transposed ? transposed(call) : call;
  return plan;
}

GemmPlan GemmPlanner::plan_for(GemmCall const& call) const { return remembered(last_, call, asked_); }

/// What --tune measures of a problem. On copies that the kernel could do without, what may be the fastest by its cost.
std::vector<GemmCandidate> GemmPlanner::candidates(GemmCall const& call) const {
  std::vector<GemmCandidate> candidates;
  std::vector<bool> const ways = planning_.ways(call);
  int const units = machine_for(call).compute_units;
  double const least = plan_for(call, {}).cost;
  for (bool const exchange : ways) {
    GemmCall const way = exchange ? transposed(call) : call;
    for (GemmChoice const& choice : all_for(way)) {
      std::int64_t const tiles = std::int64_t(detail::tiles_along(way.m, choice.tile.m)) *
                                 detail::tiles_along(way.n, choice.tile.n) * way.batch;
      for (int const slices : planning_.slices) {
        if (!allows_slices(way, choice, slices, units * choice.tile.resident)) continue;
        int const taken = slices_with_tiles(detail::tiles_along(way.k, choice.tile.k), slices);
        for (int const group : planning_.groups) {
          if (group != 0 && (slices > 1 || tiles < 2 * units)) continue;
          GemmWishes const wishes{choice.name, exchange ? "yes" : "no", {.group = group, .split_k = taken}};
          if (choice.needless_copies &&
              planning_.cost(way, choice, planned(way, exchange, choice, wishes).job.schedule) > 1.25 * least)
            continue;
          std::string name = wishes.tile;
          if (exchange != ways.front()) name += " exchange=" + std::to_string(exchange ? 1 : 0);
          if (taken != 1) name += " split_k=" + std::to_string(taken);
          if (group != 0) name += " group=" + std::to_string(group);
          bool const known = std::any_of(candidates.begin(), candidates.end(),
                                         [&](GemmCandidate const& other) { return other.name == name; });
          if (known) continue;  // two numbers of slices may leave the same number with tiles
          candidates.push_back({name, [this, wishes, memory = std::make_shared<std::optional<Remembered>>()](
                                          GemmCall const& problem) { run(remembered(*memory, problem, wishes)); }});
        }
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
    line.add("--exchange", asked_.exchange, {"auto", "no", "yes"},
             "compute C^T = B A^T, so that rows of C are columns of tiles; auto: what suits the problem");
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
    add(asked_.exchange != "auto", "--exchange " + asked_.exchange);
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
  own.cost = [this](GemmCall const& call) { return plan_for(call).cost; };
  return own;
}

}  // namespace tilestep
