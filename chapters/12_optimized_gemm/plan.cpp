// Decides how a problem is computed. An ordinary source: it launches nothing itself.

#include "plan.hpp"

#include "tables/sm90.hpp"  // rows of measurements

#include <algorithm>  // std::min
#include <cmath>      // std::log2
#include <span>       // a table
#include <utility>    // std::swap

namespace tilestep {

namespace {

Wishes asked;
bool only_plan = false;

/// All tiles that compute a problem, in the order of the sources.
Choices choices_for(GemmCall const& call) {
  Choices all;
  for (auto* family : {nvidia_f16, nvidia_f16_few, nvidia_bf16, nvidia_bf16_few, nvidia, cdna4, cdna_f16, cdna_f16_few, cdna_bf16, cdna_bf16_few, cdna_f32, cdna_i8, rdna3_f16, rdna3_f16_few,
                       rdna3_bf16, rdna3_bf16_few, rdna3_i8, rdna4_f16, rdna4_f16_few, rdna4_bf16, rdna4_bf16_few, rdna4_i8, by_fma}) {
    for (Choice const& choice : family(call)) {
      bool const known = std::any_of(all.begin(), all.end(), [&](Choice const& other) { return other.name() == choice.name(); });
      if (!known) all.push_back(choice);
    }
  }
  if (all.empty()) not_here("no kernel for these types on " + call.target);
  return all;
}

/// The same product with M and N exchanged: C^T = B A^T. Strides say how it is stored.
GemmCall transposed(GemmCall call) {
  std::swap(call.m, call.n);
  std::swap(call.a, call.b);
  std::swap(call.stride_a, call.stride_b);
  std::swap(call.stride_c.row, call.stride_c.col);
  std::swap(call.epilogue.stride_residual.row, call.epilogue.stride_residual.col);
  return call;
}

// ---- Where something was measured ----

/// The rows for a target: none where nothing was measured.
std::span<TableRow const> table_of(std::string_view target) {
  if (target == "sm90") return table_sm90;
  return {};
}

/// The layout in words: nn, nt, tn or tt.
std::string layout_of(GemmCall const& call) { return std::string(call.stride_a.col == 1 ? "n" : "t") + (call.stride_b.col == 1 ? "t" : "n"); }

// [nearest]
/// The row whose problem is nearest: by how many times its extents are larger or smaller.
TableRow const* nearest_row(GemmCall const& call) {
  auto const apart = [](std::int64_t a, std::int64_t b) { return std::abs(std::log2(double(std::max<std::int64_t>(a, 1)) / double(std::max<std::int64_t>(b, 1)))); };
  TableRow const* nearest = nullptr;
  double least = 0;
  DType const measured = call.dtype == DType::bf16 ? DType::f16 : call.dtype;  // as fast as each other
  for (TableRow const& row : table_of(call.target)) {
    if (row.dtype != measured) continue;
    double const distance = apart(call.m, row.m) + apart(call.n, row.n) + apart(call.k, row.k) + (row.layout == layout_of(call) ? 0 : 0.1);
    if (!nearest || distance < least) {
      nearest = &row;
      least = distance;
    }
  }
  return nearest;
}
// [nearest]

// ---- Where nothing was ----

/// Multiply-adds of a compute unit in a clock, at most, by instructions for operands of this type.
/// @par Source  docs/tools/rates.py, where each rate has its own; sm80 and sm90: what mma.sync reaches, not what wgmma would
double rate_of(GemmCall const& call) {
  struct Rates {
    std::string_view target;
    double of_16_bits, of_8_bits, of_32_bits;
  };
  constexpr Rates table[] = {{"sm80", 1024, 2048, 64},   {"sm90", 1024, 2048, 128},   {"gfx90a", 512, 512, 128}, {"gfx942", 1024, 2048, 128},
                             {"gfx950", 2048, 4096, 128}, {"gfx1100", 256, 256, 64}, {"gfx1201", 512, 1024, 64}};
  for (Rates const& rates : table) {
    if (rates.target == call.target) return call.dtype == DType::tf32 ? 512 : bytes_of(call.dtype) == 2 ? rates.of_16_bits : bytes_of(call.dtype) == 1 ? rates.of_8_bits : rates.of_32_bits;
  }
  return 1024;
}

// [rule]
/// How many clocks a problem takes on a tile. A tile costs what it multiplies, or what its operands take on their way through shared memory if that
/// is more, and something to begin and to end; the machine is done when the busiest unit is.
double cost(GemmCall const& call, Choice const& choice, TileSchedule const& s) {
  TileOfBlock const& tile = choice.tile;
  constexpr double passes = 3, to_begin = 4000, second_pass = 3000;  // an element is written once to shared memory and read about twice; 128 bytes in a clock
  double const rate = rate_of(call), area = double(tile.m) * tile.n, lines = tile.m + tile.n;
  double const k = std::max(area / rate, passes * lines * bytes_of(call.dtype) / 128);
  double const one = k * s.slice_k_tiles * tile.k + to_begin + 100 * area / 1024;
  double const rounds = std::ceil(double(s.tiles()) / machine_of(call.target).compute_units);
  return rounds * one + (s.slices > 1 ? second_pass + double(call.m) * double(call.n) * s.slices / 1024 : 0);
}
// [rule]

Plan planned(GemmCall const& call, bool exchanged, Choice const& choice, Wishes const& wishes) {
  return {{call, schedule_for(call, choice.tile, wishes.schedule), exchanged}, choice};
}

}  // namespace

Plan plan_for(GemmCall const& given, Wishes const& wishes) {
  bool const exchange = given.n < given.m && given.n <= 64;  // few columns are few rows of the transposed product
  GemmCall const call = exchange ? transposed(given) : given;
  Choices const all = choices_for(call);
  auto const named = [&](std::string const& name) { return std::find_if(all.begin(), all.end(), [&](Choice const& choice) { return choice.name() == name; }); };
  if (wishes.tile != "auto") {
    auto const choice = named(wishes.tile);
    if (choice != all.end()) return planned(call, exchange, *choice, wishes);
    std::string names;
    for (Choice const& other : all) names += (names.empty() ? "" : ", ") + other.name();
    bad_input("--tile " + wishes.tile + ": for these types, " + call.target + " has " + names);
  }
  if (TableRow const* row = nearest_row(given)) {
    if (auto const choice = named(row->tile); choice != all.end()) {
      Wishes both = wishes;
      if (both.schedule.split_k == 0 && call.acc != DType::f16) both.schedule.split_k = row->split_k;
      if (both.schedule.group == 0) both.schedule.group = row->group;
      return planned(call, exchange, *choice, both);
    }
  }
  std::vector<Plan> plans;
  for (Choice const& choice : all) plans.push_back(planned(call, exchange, choice, wishes));
  return *std::min_element(plans.begin(), plans.end(), [](Plan const& a, Plan const& b) { return cost(a.job.call, a.choice, a.job.schedule) < cost(b.job.call, b.choice, b.job.schedule); });
}

Plan plan_for(GemmCall const& call) { return plan_for(call, asked); }

// [run]
void run(Plan const& plan) {
  Job job = plan.job;
  int const slices = job.schedule.slices;
  job.call = repacked(job.call, plan.choice.copies_a, plan.choice.copies_b);
  if (slices == 1) return plan.choice.launch(job);
  Job const sums{in_workspace(job.call, slices), job.schedule};
  plan.choice.launch(sums);
  finish_slices(job, sums.call, slices);
}
// [run]

std::string describe(Plan const& plan) {
  TileSchedule const& s = plan.job.schedule;
  auto const number = [](auto value) { return std::to_string(value); };
  std::string text = number(s.tiles_m) + " x " + number(s.tiles_n) + " tiles of " + plan.choice.name();
  if (plan.job.transposed) text = "C^T: " + text;
  if (s.batches != 1) text += ", " + number(s.batches) + " times";
  if (s.slices != 1) text += ", K in " + number(s.slices) + " slices";
  text += s.group == 1 ? ", row by row" : ", in groups of " + number(s.group) + " rows";
  if (s.dies != 1) text += " on each of " + number(s.dies) + " dies";
  if (plan.choice.copies_a || plan.choice.copies_b) text += std::string(", on copies of ") + (!plan.choice.copies_b ? "A" : plan.choice.copies_a ? "A and B" : "B");
  return text;
}

GemmOwnOptions own_options() {
  GemmOwnOptions own;
  own.declare = [](CommandLine& line) {
    line.add("--tile", asked.tile, "the tile by its extents, such as 128x256x32; auto: what suits the problem");
    line.add("--group", asked.schedule.group, "rows of tiles that are walked together; 0: what suits the problem");
    line.add("--split-k", asked.schedule.split_k, "slices of K, added by a second pass; 0: what suits the problem");
    line.add("--plan", only_plan, "print what would run, and stop");
  };
  own.parameters = [] {
    std::string text;
    auto const add = [&](bool given, std::string const& option) { text += given ? (text.empty() ? "" : " ") + option : ""; };
    add(asked.tile != "auto", "--tile " + asked.tile);
    add(asked.schedule.group != 0, "--group " + std::to_string(asked.schedule.group));
    add(asked.schedule.split_k != 0, "--split-k " + std::to_string(asked.schedule.split_k));
    return text.empty() ? std::vector<std::pair<std::string, Record::Value>>{} : std::vector<std::pair<std::string, Record::Value>>{{"options", text}};
  };
  own.instead = [](CommandLine const& line, GemmCall const& call) {
    if (asked.schedule.group < 0 || asked.schedule.group > INT32_MAX) bad_input("--group " + std::to_string(asked.schedule.group) + ": needs a number of rows of tiles, 1 or more");
    if (asked.schedule.split_k < 0 || asked.schedule.split_k > 4096) bad_input("--split-k " + std::to_string(asked.schedule.split_k) + ": needs a number of slices, 1 to 4096");
    std::string const plan = describe(plan_for(call));
    if (only_plan) line.out() << plan << "\n";
    return only_plan;
  };
  own.candidates = [](GemmCall const& call) {
    std::vector<GemmCandidate> candidates;
    GemmCall const way = call.n < call.m && call.n <= 64 ? transposed(call) : call;
    for (Choice const& choice : choices_for(way)) {
      for (int const slices : {1, 2, 3, 4, 6, 8, 16}) {
        std::int64_t const tiles = std::int64_t(detail::tiles_along(way.m, choice.tile.m)) * detail::tiles_along(way.n, choice.tile.n) * way.batch;
        if (slices > 1 && (call.acc == DType::f16 || slices * tiles > 3 * machine_of(call.target).compute_units * choice.tile.resident || way.k / slices < 256)) continue;
        for (int const group : {0, 4, 16}) {
          if (group != 0 && (slices > 1 || tiles < 2 * machine_of(call.target).compute_units)) continue;
          Wishes const wishes{choice.name(), {.group = group, .split_k = slices}};
          std::string name = wishes.tile;
          if (slices != 1) name += " split_k=" + std::to_string(slices);
          if (group != 0) name += " group=" + std::to_string(group);
          candidates.push_back({name, [wishes](GemmCall const& problem) { run(plan_for(problem, wishes)); }});
        }
      }
    }
    return candidates;
  };
  return own;
}

}  // namespace tilestep
