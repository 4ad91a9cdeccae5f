// What a measurement says: the line for a person and the record for a program.

#include "build_info.hpp"
#include "bench_json.hpp"
#include "gemm_bench.hpp"

#include <fmt/format.h>

namespace tilestep {

namespace {

Json verdict_json(Check const& check) {
  return {{"method", check.method},
          {"verdict", check.right ? "right" : "wrong"},
          {"max_error", number(check.max_error)},
          {"bound", number(check.bound)}};
}

Json as_json(Spread const& spread) { return {{"median", spread.median}, {"min", spread.min}, {"max", spread.max}}; }

Json as_json(VendorTimes const& vendor) {
  Json modes = Json::object();
  for (auto const& [mode, seconds] : vendor.modes) modes[mode] = seconds;
  for (auto const& [mode, sentence] : vendor.refusals) modes[mode] = sentence;
  return {{"mode", vendor.mode}, {"check", verdict_json(vendor.check)}, {"modes", modes}};
}

Json vendor_json(BenchRecord const& record) {
  if (!record.vendor) return {{"missing", record.vendor_missing}};
  Json json = {{"name", record.vendor_name}};
  json.update(as_json(*record.vendor));
  return json;
}

std::string duration(double seconds) {
  return seconds >= 1 ? fmt::format("{:.4g} s", seconds)
         : seconds >= 1e-3 ? fmt::format("{:.4g} ms", seconds * 1e3) : fmt::format("{:.4g} us", seconds * 1e6);
}

Ceiling const* highest(std::vector<Ceiling> const& ceilings, std::string const& unit) {
  Ceiling const* best = nullptr;
  for (Ceiling const& each : ceilings) {
    if (each.unit == unit && (best == nullptr || each.per_second() > best->per_second())) best = &each;
  }
  return best;
}

}  // namespace

Json state_json(DeviceState const& state) {
  return {{"clock_mhz", number(state.clock_mhz)},
          {"memory_clock_mhz", number(state.memory_clock_mhz)},
          {"power_watts", number(state.power_watts)},
          {"celsius", number(state.celsius)}};
}

Json parameters_json(Record const& described) {
  Json json = Json::object();
  for (auto const& [name, value] : described.parameters) {
    std::visit([&, &key = name](auto const& held) { json[key] = held; }, value);
  }
  return json;
}

std::string bench_json(BenchRecord const& record) {
  Json json = {{"schema", 1},
               {"kind", "bench"},
               {"chapter", record.chapter},
               {"backend", build_info::backend},
               {"target", record.described.target},
               {"device", record.described.device},
               {"driver", record.facts.driver},
               {"toolkit", record.facts.toolkit},
               {"units", record.facts.units},
               {"commit", build_info::commit()},
               {"command", record.command},
               {"problem", record.described.problem}};
  json["parameters"] = parameters_json(record.described);
  json["notes"] = record.described.notes;
  json["seed"] = record.seed;
  json["check"] = verdict_json(record.check);
  json["kernels"] = record.kernels;
  json["operations"] = record.operations;
  json["operand_sets"] = record.operand_sets;
  json["vendor"] = vendor_json(record);
  if (record.repacked) json["repacked"] = as_json(*record.repacked);
  json["turns"] = record.kernel.seconds.size();
  json["repeats"] = {{"kernel", record.kernel.repeats}};
  json["seconds"] = {{"kernel", record.kernel.seconds}};
  auto const side = [&](std::string const& name, std::string const& ratio, Turns const& turns) {
    json["repeats"][name] = turns.repeats;
    json["seconds"][name] = turns.seconds;
    json[ratio] = as_json(paired_ratios(turns.seconds, record.kernel.seconds));
  };
  if (record.vendor) side("vendor", "ratio", record.vendor->turns);
  if (record.repacked) side("repacked", "ratio_repacked", record.repacked->turns);
  json["ceilings"] = Json::array();
  for (Ceiling const& each : record.ceilings) {
    json["ceilings"].push_back({{"name", each.turns.name},
                                {"unit", each.unit},
                                {"amount", each.amount},
                                {"seconds", each.turns.seconds},
                                {"per_second", number(each.per_second())}});
  }
  json["before"] = state_json(record.before);
  json["after"] = state_json(record.after);
  json["verdict"] = record.check.right ? "right" : "wrong";
  json["exit_code"] = static_cast<int>(record.check.right ? Exit::right : Exit::wrong);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string bench_table(BenchRecord const& record) {
  auto const tera = [&](double seconds) { return fmt::format("{:.4g}", record.operations / seconds * 1e-12); };
  Spread const time = spread_of(record.kernel.seconds);
  std::vector<std::pair<std::string, std::string>> cells{
      {"chapter", record.chapter},
      {"problem", record.described.problem},
      {"time (min to max)",
       fmt::format("{} ({} to {})", duration(time.median), duration(time.min), duration(time.max))},
      {"TFLOP/s", tera(time.median)}};
  auto const side = [&](std::string const& name, Turns const& turns) {
    Spread const ratio = paired_ratios(turns.seconds, record.kernel.seconds);
    cells.emplace_back(name, tera(spread_of(turns.seconds).median));
    cells.emplace_back("its time / ours (min to max)",
                       fmt::format("{:.3f} ({:.3f} to {:.3f})", ratio.median, ratio.min, ratio.max));
  };
  if (record.vendor) side(record.vendor_name + " " + record.vendor->mode, record.vendor->turns);
  else cells.emplace_back("the vendor's library", record.vendor_missing);
  if (record.repacked) side("on repacked operands, " + record.repacked->mode, record.repacked->turns);
  if (Ceiling const* const loop = highest(record.ceilings, "operations")) {
    cells.emplace_back("of the ceiling",
                       fmt::format("{:.3f} of {:.4g} ({})", record.operations / time.median / loop->per_second(),
                                   loop->per_second() * 1e-12, loop->turns.name));
  }
  if (Ceiling const* const copy = highest(record.ceilings, "bytes")) {
    cells.emplace_back("device copy", fmt::format("{:.3g} TB/s", copy->per_second() * 1e-12));
  }
  std::string heading, line;
  for (auto const& [title, value] : cells) {
    std::size_t const width = std::max(title.size(), value.size()) + 2;
    heading += fmt::format("{:<{}}", title, width);
    line += fmt::format("{:<{}}", value, width);
  }
  auto const trimmed = [](std::string text) { return text.substr(0, text.find_last_not_of(' ') + 1) + "\n"; };
  return trimmed(heading) + trimmed(line);
}

}  // namespace tilestep
