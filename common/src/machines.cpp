// The table of machines for people and, as JSON, for the tools that make budgets. On a GPU it says what that GPU says
// of itself, too.
//
//   machines                   one line for each
//   machines rtx4090 h200:units=78    every number of these with its source
//   machines --json            everything

#include <tilestep/backend/machine.hpp>  // machines, machine_named
#include <tilestep/backend/runtime.hpp>  // machine, device_name

#include <nlohmann/json.hpp>

#include <cstdio>   // std::printf
#include <string>   // arguments
#include <utility>  // std::pair
#include <vector>   // rows

namespace {

using namespace tilestep;
using Json = nlohmann::ordered_json;

char const* name_of(Evidence evidence) {
  switch (evidence) {
    case Evidence::documented: return "documented";
    case Evidence::measured: return "measured";
    case Evidence::assumed: return "assumed";
    default: return "unknown";
  }
}

struct NamedRate {
  std::string name, means;
  Rate rate;
};

/// The rates by which budgets know them.
std::vector<NamedRate> rates_of(Machine const& machine) {
  UnitRates const& unit = machine.unit;
  return {{"clock", "Hz", machine.clock},
          {"fma", "multiply-adds of a unit in a clock", unit.fma},
          {"shared", "wavefronts of a unit in a clock", unit.shared},
          {"l1", "bytes of a unit in a clock", unit.l1},
          {"l2", "bytes in a clock", machine.l2},
          {"dram", "bytes in a second", machine.dram},
          {"issue", "instructions of a unit in a clock", unit.issue}};
}

/// Those of matrix instructions, by the type of A and B.
std::vector<NamedRate> multiply_rates_of(Machine const& machine) {
  MultiplyRates const& rates = machine.unit.multiply;
  std::vector<NamedRate> known;
  for (auto const& [name, rate] : std::vector<std::pair<std::string, Rate>>{{"f16", rates.f16},
                                                                            {"bf16", rates.bf16},
                                                                            {"tf32", rates.tf32},
                                                                            {"i8", rates.i8},
                                                                            {"f32", rates.f32},
                                                                            {"wgmma f16", rates.wgmma},
                                                                            {"wgmma bf16", rates.wgmma},
                                                                            {"f64", rates.f64},
                                                                            {"4b_f64", rates.f64_of_block}}) {
    if (rate.is_known()) known.push_back({name, "multiply-adds of a unit in a clock", rate});
  }
  return known;
}

Json as_json(Rate const& rate) {
  return {{"value", rate.is_known() ? Json(rate.value) : Json()},
          {"evidence", name_of(rate.evidence)},
          {"source", rate.source}};
}

Json as_json(Machine const& machine) {
  TargetInfo const& target = target_info(machine.target);
  Json json{{"name", machine.name},
            {"target", machine.target},
            {"compute_units", machine.compute_units},
            {"dies", machine.dies},
            {"shared_bytes", machine.shared_bytes},
            {"unit_shared_bytes", machine.unit_shared_bytes},
            {"l2_bytes", machine.l2_bytes},
            {"cluster_blocks", machine.cluster_blocks},
            {"warp_size", target.warp_size},
            {"l1_piece", machine.unit.l1_piece}};
  for (NamedRate const& each : rates_of(machine)) json["rates"][each.name] = as_json(each.rate);
  for (NamedRate const& each : multiply_rates_of(machine)) json["matrix"][each.name] = as_json(each.rate);
  return json;
}

void print_line(std::string const& name, Machine const& machine) {
  std::printf("%-24s %-8s %5d %5d %12lld %12lld %8d\n", name.c_str(), std::string(machine.target).c_str(),
              machine.compute_units, machine.dies, static_cast<long long>(machine.shared_bytes),
              static_cast<long long>(machine.l2_bytes), machine.cluster_blocks);
}

void print_heading() {
  std::printf("%-24s %-8s %5s %5s %12s %12s %8s\n", "machine", "target", "units", "dies", "shared bytes", "L2 bytes",
              "cluster");
}

void print_all(Machine const& machine) {
  print_heading();
  print_line(std::string(machine.name), machine);
  std::vector<NamedRate> rates = rates_of(machine);
  for (NamedRate const& each : multiply_rates_of(machine)) rates.push_back(each);
  for (NamedRate const& each : rates) {
    std::printf("  %-10s %14.10g %-36s %s: %s\n", each.name.c_str(), each.rate.value, each.means.c_str(),
                name_of(each.rate.evidence), std::string(each.rate.source).c_str());
  }
}

void run(std::vector<std::string> const& arguments) {
  if (arguments == std::vector<std::string>{"--json"}) {
    Json all = Json::array();
    for (Machine const& each : machines) all.push_back(as_json(each));
    std::printf("%s\n", all.dump(2).c_str());
  } else if (arguments.empty()) {
    print_heading();
    for (Machine const& each : machines) print_line(std::string(each.name), each);
    if (device_name() != "virtual GPU") print_line(device_name(), machine());
  } else {
    for (std::string const& each : arguments) print_all(machine_named(each));
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    run(std::vector<std::string>(argv + 1, argv + argc));
    return 0;
  } catch (tilestep::Error const& error) {
    std::fprintf(stderr, "machines: %s\n", error.what());
    return int(error.code());
  }
}
