#pragma once
// Which machine a plan is made for. The virtual GPU plays one of the table's, as it is or with other numbers; a GPU
// says of itself what its runtime knows, and the table says the rest.

#include <tilestep/backend/error.hpp>          // bad_input
#include <tilestep/backend/machine_table.hpp>  // machines
#include <tilestep/backend/target.hpp>         // target_info

#include <algorithm>     // std::clamp
#include <cctype>        // std::tolower
#include <charconv>      // std::from_chars
#include <cstdint>       // std::int64_t
#include <functional>    // std::less
#include <set>           // names of made-up machines
#include <string>        // sentences
#include <string_view>   // names
#include <system_error>  // std::errc

namespace tilestep {

/// How many blocks with so much shared memory a compute unit has room for at once, one at least.
/// @par Source  CUDA C++ Programming Guide, compute capabilities 8.x, 9.0 and 12.0: 1 KB of each block is the system's
inline int blocks_with_shared(Machine const& machine, std::int64_t bytes) {
  std::int64_t const kept = target_info(machine.target).vendor == Vendor::nvidia ? 1024 : 0;
  return int(std::clamp<std::int64_t>(machine.unit_shared_bytes / std::max<std::int64_t>(bytes + kept, 1), 1, 1024));
}

/// The machine that stands for a target.
/// @par Errors  bad_input: none does
constexpr Machine const& machine_of(std::string_view target) {
  for (Machine const& machine : machines) {
    if (machine.target == target) return machine;
  }
  bad_input("no machine stands for target '" + std::string(target) + "': add one to machine_table.hpp");
}

/// The machine whose name is the longest part of what a device calls itself, or else the one that stands for the
/// target.
inline Machine const& machine_like(std::string_view device, std::string_view target) {
  Machine const* found = nullptr;
  for (Machine const& machine : machines) {
    bool const named = machine.target == target && device.find(machine.name) != std::string_view::npos;
    if (named && (found == nullptr || machine.name.size() > found->name.size())) found = &machine;
  }
  return found != nullptr ? *found : machine_of(target);
}

/// What a device's runtime says of it.
struct DeviceNumbers {
  int compute_units = 0;
  std::int64_t shared_bytes = 0;
  std::int64_t unit_shared_bytes = 0;  ///< 0: it does not say
  std::int64_t l2_bytes = 0;  ///< 0: it does not say
  double clock = 0;           ///< the highest, in Hz; 0: it does not say
  bool clusters = false;      ///< it launches clusters of blocks
};

/// A device that calls itself so and runs a target's kernels. What it says of itself comes before the table.
inline Machine machine_of_device(std::string_view device, std::string_view target, DeviceNumbers const& says) {
  Machine found = machine_like(device, target);
  found.compute_units = says.compute_units;
  found.shared_bytes = says.shared_bytes;
  if (says.unit_shared_bytes > 0) found.unit_shared_bytes = says.unit_shared_bytes;
  if (says.l2_bytes > 0) found.l2_bytes = says.l2_bytes;
  if (says.clock > 0) found.clock = measured(says.clock, "the device's runtime");
  if (!says.clusters) found.cluster_blocks = 1;
  return found;
}

namespace detail {

/// Sets one number of a machine, as in "units=78".
/// @par Errors  bad_input: no such number, or one that no machine has
inline void change_machine(Machine& machine, std::string_view change, std::string_view all) {
  auto const refuse = [&](std::string const& why) { bad_input("--machine " + std::string(all) + ": " + why); };
  std::string_view const name = change.substr(0, change.find('='));
  std::string_view const digits = name.size() < change.size() ? change.substr(name.size() + 1) : "";
  struct Number {
    std::string_view name;
    std::int64_t least, most;
  };
  constexpr std::array numbers{Number{"units", 1, 4096}, Number{"shared", 1, 1 << 30}, Number{"dies", 1, 64},
                               Number{"l2", 0, std::int64_t(1) << 40}, Number{"cluster", 1, 8}};
  for (Number const& number : numbers) {
    if (number.name != name) continue;
    std::int64_t value = 0;
    auto const [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size() || value < number.least || value > number.most)
      refuse(std::string(name) + " needs a whole number from " + std::to_string(number.least) + " to " +
             std::to_string(number.most));
    if (name == "units") machine.compute_units = int(value);
    if (name == "shared") {
      machine.unit_shared_bytes += value - machine.shared_bytes;
      machine.shared_bytes = value;
    }
    if (name == "dies") machine.dies = int(value);
    if (name == "l2") machine.l2_bytes = value;
    if (name == "cluster") machine.cluster_blocks = int(value);
    return;
  }
  refuse("there is no number '" + std::string(name) + "': choose of units, shared, dies, l2 and cluster");
}

}  // namespace detail

/// The machine of this name, however it is spelt: "RTX 4090", "rtx4090" and "rtx-4090" are one. A target's name is that
/// of the machine that stands for it. Other numbers make another machine: "h200:units=78,shared=101376" is an H200 of
/// 78 multiprocessors that gives a block 101376 bytes.
/// @par Errors  bad_input, with the names or the numbers that there are
inline Machine machine_named(std::string_view text) {
  auto const bare = [](std::string_view name) {
    std::string letters;
    for (char const each : name) {
      if (each != ' ' && each != '-') letters += char(std::tolower(static_cast<unsigned char>(each)));
    }
    return letters;
  };
  std::string_view const name = text.substr(0, text.find(':'));
  Machine const* base = nullptr;
  std::string known;
  for (Machine const& machine : machines) {
    if (bare(machine.name) == bare(name) || (machine.target == name && base == nullptr)) base = &machine;
    known += (known.empty() ? "" : ", ") + std::string(machine.name);
  }
  if (base == nullptr) bad_input("there is no machine '" + std::string(name) + "': choose one of " + known);
  if (name.size() == text.size()) return *base;

  Machine made = *base;
  static std::set<std::string, std::less<>> names;  // a machine's name is a view: these live as long as the program
  made.name = *names.emplace(text).first;
  for (std::size_t at = name.size(); at < text.size();) {
    std::size_t const next = std::min(text.find(',', at + 1), text.size());
    detail::change_machine(made, text.substr(at + 1, next - at - 1), text);
    at = next;
  }
  bool const clusters = target_info(made.target).clusters;
  if (made.cluster_blocks > 1 && !clusters)
    bad_input("--machine " + std::string(text) + ": " + std::string(made.target) + " has no clusters: leave it out");
  return made;
}

}  // namespace tilestep
