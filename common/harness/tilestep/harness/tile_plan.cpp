// What it includes is written for kernels, so the backend's compiler reads this file; it has none.

#include <tilestep/harness/tile_plan.hpp>

#include <tilestep/backend/runtime.hpp>  // device_name
#include <tilestep/harness/record.hpp>   // on_virtual_gpu

#include <algorithm>  // std::min
#include <cstdint>    // std::int64_t
#include <memory>     // what --plan sets
#include <ostream>    // where a person reads

namespace tilestep {

namespace {

std::string right_aligned(std::string const& text, std::size_t width) {
  return std::string(text.size() < width ? width - text.size() : 0, ' ') + text;
}
std::string left_aligned(std::string const& text, std::size_t width) {
  return text + std::string(text.size() < width ? width - text.size() : 0, ' ');
}

std::string megabytes(std::int64_t bytes) { return std::to_string((bytes + 500'000) / 1'000'000); }

/// Megabytes of A and B that the L2 caches ask memory for.
std::string from_memory(TilePlan const& plan, TileSchedule const& s, int slots, int dies) {
  TileOfBlock const& tile = plan.choice.tile;
  ScheduleTraffic const traffic = traffic_of(s, slots, dies);
  std::int64_t const k = std::min(plan.call.k, std::int64_t(s.slice_k_tiles) * tile.k);
  return megabytes((traffic.tiles_of_a * tile.m + traffic.tiles_of_b * tile.n) * k * bytes_of(plan.call.dtype));
}

/// The options as the command line has them.
std::string words_of(ScheduleOptions const& options) {
  std::string words;
  auto const add = [&](bool given, std::string const& option) {
    words += given ? (words.empty() ? "" : " ") + option : "";
  };
  add(options.order != "auto", "--order " + options.order);
  add(options.group != 0, "--group " + std::to_string(options.group));
  add(options.split_k != 0, "--split-k " + std::to_string(options.split_k));
  add(options.persistent, "--persistent");
  return words;
}

}  // namespace

std::string describe(TilePlan const& plan) {
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

std::string report(TilePlan const& plan) {
  TileSchedule const& s = plan.schedule;
  Machine const machine = machine_for(plan.call);
  int const slots = machine.compute_units * plan.choice.tile.resident, waves = (s.tiles() + slots - 1) / slots;
  auto const number = [](auto value) { return std::to_string(value); };
  std::string const device = on_virtual_gpu() ? std::string(machine.name) : device_name();
  std::string text = describe(plan) + "\n" + device + " runs " + number(slots) + " at once: " + number(waves) +
                     (waves == 1 ? " wave" : " waves");
  if (waves > 0)
    text += ", busy for " +
            number((100LL * s.tiles() + std::int64_t(waves) * slots / 2) / (std::int64_t(waves) * slots)) +
            " % of their time";
  if (s.tiles() == 0 || s.tiles() > 1 << 20) return text + "\n";

  std::int64_t const operands = (plan.call.m + plan.call.n) * plan.call.k * plan.call.batch * bytes_of(plan.call.dtype);
  text += "\nA and B are " + megabytes(operands) +
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

GemmOwnOptions order_options(ScheduleOptions& options, std::function<TilePlan(GemmCall const&)> plan_for,
                             std::function<std::string()> others) {
  auto const only_plan = std::make_shared<bool>(false);
  GemmOwnOptions own;
  own.declare = [&options, only_plan](CommandLine& line) {
    options = {}, *only_plan = false;  // a process may run several command lines
    line.add("--order", options.order, {"auto", "rows", "grouped", "xcd"},
             "the order of tiles: row by row, in groups of rows, or in groups on each die");
    line.add("--group", options.group, "rows of tiles in a group; 0: about 8");
    line.add("--plan", *only_plan, "print what would run, and what its order asks of memory, and stop");
  };
  own.parameters = [&options, others]() -> std::vector<std::pair<std::string, Record::Value>> {
    std::string const first = others ? others() : "", rest = words_of(options);
    std::string const words = first + (first.empty() || rest.empty() ? "" : " ") + rest;
    if (words.empty()) return {};
    return {{"options", words}};
  };
  own.instead = [&options, plan_for, only_plan](CommandLine const& line, GemmCall const& call) {
    if (options.group < 0 || options.group > INT32_MAX)
      bad_input("--group " + std::to_string(options.group) + ": needs a number of rows of tiles, 1 or more");
    if (options.order == "rows" && options.group > 1)
      bad_input("--group is for --order grouped and xcd: rows go one by one");
    TilePlan const plan = plan_for(call);
    if (*only_plan) line.out() << report(plan);
    return *only_plan;
  };
  return own;
}

}  // namespace tilestep
