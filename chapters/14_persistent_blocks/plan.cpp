// Decides how a problem is computed. An ordinary source: it launches nothing itself.

#include "plan.hpp"

#include <tilestep/harness/gemm_plan.hpp>  // transposed
#include <tilestep/harness/repack.hpp>     // repack
#include <tilestep/harness/split_k.hpp>    // into_workspace, add_slices

#include <algorithm>  // std::min
#include <ostream>    // where a person reads

namespace tilestep {

namespace {

ScheduleOptions options;
std::string tile_size = "auto";
bool only_plan = false;

GemmChoice choice(GemmCall const& call) {
  GemmChoices const found = kernels_for(call);
  if (!found.empty()) return found.front();
  if (!options.persistent) not_here("no kernel for these types on " + call.target);
  bad_input("--persistent is for f16 whose rows are multiples of 16 bytes, in layout nt: leave it out");
}

constexpr int few_rows = 16, some_rows = 64;  // of small and of medium tiles on NVIDIA

// [size]
/// Which size of tiles suits a problem: one that has its rows. Where large tiles leave half of the machine without a
/// block, and K is too short for slices, medium ones.
std::string suggested_size(GemmCall const& call) {
  if (call.m <= few_rows) return "small";
  if (call.m <= some_rows) return "medium";
  double const large_tiles = double((call.m + 127) / 128) * double((call.n + 255) / 256) * double(call.batch);
  return 2 * large_tiles <= machine_for(call).compute_units && call.k < 2048 ? "medium" : "large";
}
// [size]

}  // namespace

Plan plan_for(GemmCall const& given) {
  Plan plan;
  plan.call = given.n <= some_rows && given.n < given.m ? transposed(given) : given;
  plan.call.kernel = options.persistent ? "persistent" : tile_size == "auto" ? suggested_size(plan.call) : tile_size;
  plan.choice = choice(plan.call);
  plan.schedule = schedule_for(plan.call, plan.choice.tile, options);
  return plan;
}

void run(Plan const& plan) {
  GemmCall const operands = repack(plan.call, plan.choice.copies_a, plan.choice.copies_b);
  if (plan.schedule.slices <= 1) return plan.choice.launch({operands, plan.schedule});
  GemmCall const sums = into_workspace(operands, plan.schedule.slices);
  plan.choice.launch({sums, plan.schedule});
  add_slices(plan.call, sums, plan.schedule.slices);
}

std::string describe(Plan const& plan) {
  TileSchedule const& s = plan.schedule;
  TileOfBlock const& tile = plan.choice.tile;
  auto const number = [](auto value) { return std::to_string(value); };
  std::string text = number(s.tiles_m) + " x " + number(s.tiles_n) + " tiles of " + number(tile.m) + " x " +
                     number(tile.n);
  if (s.batches != 1) text += ", " + number(s.batches) + " times";
  if (s.slices != 1) text += ", K in " + number(s.slices) + " slices";
  text += s.group == 1 ? ", row by row" : ", in groups of " + number(s.group) + " rows";
  if (s.dies != 1) text += " on each of " + number(s.dies) + " dies";
  return text + ": " + number(s.blocks) + " blocks" + (s.blocks < s.tiles() ? " for several tiles each" : "");
}

namespace {

std::string right_aligned(std::string const& text, std::size_t width) {
  return std::string(text.size() < width ? width - text.size() : 0, ' ') + text;
}
std::string left_aligned(std::string const& text, std::size_t width) {
  return text + std::string(text.size() < width ? width - text.size() : 0, ' ');
}

/// Megabytes of A and B that L2 asks memory for.
std::string from_memory(Plan const& plan, TileSchedule const& s, int slots, int dies) {
  TileOfBlock const& tile = plan.choice.tile;
  ScheduleTraffic const traffic = traffic_of(s, slots, dies);
  std::int64_t const k = std::min(plan.call.k, std::int64_t(s.slice_k_tiles) * tile.k);
  return std::to_string(
      ((traffic.tiles_of_a * tile.m + traffic.tiles_of_b * tile.n) * k * bytes_of(plan.call.dtype) + 500'000) /
      1'000'000);
}

/// What --plan says: the plan, its waves, and what this and other orders ask of memory.
std::string report(Plan const& plan) {
  TileSchedule const& s = plan.schedule;
  Machine const machine = machine_for(plan.call);
  int const slots = machine.compute_units * plan.choice.tile.resident, waves = (s.tiles() + slots - 1) / slots;
  auto const number = [](auto value) { return std::to_string(value); };
  std::string text = describe(plan) + "\n" + std::string(machine.name) + " runs " + number(slots) +
                     " at once: " + number(waves) + (waves == 1 ? " wave" : " waves");
  if (waves > 0)
    text += ", busy for " +
            number((100LL * s.tiles() + std::int64_t(waves) * slots / 2) / (std::int64_t(waves) * slots)) +
            " % of their time";
  if (s.tiles() == 0 || s.tiles() > 1 << 20) return text + "\n";

  std::int64_t const operands = (plan.call.m + plan.call.n) * plan.call.k * plan.call.batch * bytes_of(plan.call.dtype);
  text += "\nA and B are " + number((operands + 500'000) / 1'000'000) +
          " MB; MB from memory if an L2 keeps what a wave reads, and no more:\n";
  if (machine.dies > 1)
    text += left_aligned("", 20) + right_aligned("in turn", 10) + right_aligned("remapped", 10) + "\n";
  auto const row = [&](std::string const& name, int group) {
    TileSchedule other = s;
    other.group = group;
    other.dies = 1;
    text += "  " + left_aligned(name, 18) + right_aligned(from_memory(plan, other, slots, machine.dies), 10);
    other.dies = machine.dies;
    if (machine.dies > 1) text += right_aligned(from_memory(plan, other, slots, machine.dies), 10);
    text += s.group == group ? "  <- planned\n" : "\n";
  };
  row("row by row", 1);
  int before = 1;
  for (int const group : {2, 4, 8, 16, 32, 64}) {
    if (s.group > before && s.group < group && s.group < s.tiles_m) row("groups of " + number(s.group), s.group);
    if (group < s.tiles_m) row("groups of " + number(group), group);
    before = group;
  }
  if (s.tiles_m > 1) row("column by column", s.tiles_m);
  return text;
}

}  // namespace

GemmOwnOptions own_options() {
  GemmOwnOptions own;
  own.declare = [](CommandLine& line) {
    options = {}, tile_size = "auto", only_plan = false;  // a process may run several command lines
    line.add("--tile", tile_size, {"auto", "large", "medium", "small"},
             "the size of tiles: large, or for 16 bits medium and small ones; auto: what suits the problem");
    line.add("--order", options.order, {"auto", "rows", "grouped", "xcd"},
             "the order of tiles: row by row, in groups of rows, or in groups on each die");
    line.add("--group", options.group, "rows of tiles in a group; 0: about 8");
    line.add("--split-k", options.split_k,
             "slices of K, added by a second pass; 0: as many as give each compute unit a block");
    line.add("--persistent", options.persistent, "as many blocks as run at once, each for several tiles");
    line.add("--plan", only_plan, "print what would run, and what its order asks of memory, and stop");
  };
  own.parameters = [] {
    std::string text;
    auto const add = [&](bool given, std::string const& option) {
      text += given ? (text.empty() ? "" : " ") + option : "";
    };
    add(tile_size != "auto", "--tile " + tile_size);
    add(options.order != "auto", "--order " + options.order);
    add(options.group != 0, "--group " + std::to_string(options.group));
    add(options.split_k != 0, "--split-k " + std::to_string(options.split_k));
    add(options.persistent, "--persistent");
    return text.empty() ? std::vector<std::pair<std::string, Record::Value>>{}
                        : std::vector<std::pair<std::string, Record::Value>>{{"options", text}};
  };
  own.instead = [](CommandLine const& line, GemmCall const& call) {
    if (options.group < 0 || options.group > INT32_MAX)
      bad_input("--group " + std::to_string(options.group) + ": needs a number of rows of tiles, 1 or more");
    if (options.split_k < 0 || options.split_k > 4096)
      bad_input("--split-k " + std::to_string(options.split_k) + ": needs a number of slices, 1 to 4096");
    if (options.order == "rows" && options.group > 1)
      bad_input("--group is for --order grouped and xcd: rows go one by one");
    Plan const plan = plan_for(call);
    if (only_plan) line.out() << report(plan);
    return only_plan;
  };
  return own;
}

}  // namespace tilestep
