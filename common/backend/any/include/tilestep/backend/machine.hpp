#pragma once
// Machines: what a plan needs to know of a GPU. The virtual GPU plays one of them. On a GPU the device itself says how
// many units and how much shared memory it has, and this table says the rest.

#include <tilestep/backend/error.hpp>  // bad_input

#include <array>        // the table
#include <cctype>       // std::tolower
#include <cstdint>      // std::int64_t
#include <string>       // sentences
#include <string_view>  // names

namespace tilestep {

/// Multiply-adds of a compute unit in a clock, at most, by the type of A and B; 0: there is no instruction.
struct MultiplyRates {
  int f16;   ///< and bf16, with sums in f32
  int tf32;
  int i8;
  int f32;   ///< by FMA, or by a matrix instruction where the target has one
};

struct Machine {
  std::string_view name;
  std::string_view target;    ///< whose kernels run on it
  int compute_units;          ///< SMs or CUs
  int dies;                   ///< with an L2 each; blocks go to them in turn
  std::int64_t shared_bytes;  ///< most shared memory of one block
  MultiplyRates rates;
};

/// The first machine of a target stands for it where nothing else is said.
/// @par Source  NVIDIA: architecture white papers of A100, GA102, Ada (AD102), RTX Blackwell and H100: SMs, and dense
///              tensor TFLOP/s divided by SMs, boost clock and 2 (GeForce: with sums in f32). Shared memory of a block:
///              CUDA C++ Programming Guide, compute capabilities: 163 KB (8.0), 99 KB (8.6, 8.9, 12.0), 227 KB (9.0).
///              H200 is H100's chip; its rates are mma.sync's, measured: docs/tools/rates.py. AMD: datasheets, ISA
///              manuals (64 KB, 160 KB on CDNA 4), CDNA 3 and CDNA 4 white papers (XCDs; workgroups go to them in
///              turn); docs/tools/rates.py for the rates. MI250X: one of its two dies, which is one device.
inline constexpr std::array machines{
    Machine{"A100", "sm80", 108, 1, 163 * 1024, {1024, 512, 2048, 64}},
    Machine{"RTX 3090", "sm80", 82, 1, 99 * 1024, {256, 128, 1024, 128}},
    Machine{"RTX 4090", "sm80", 128, 1, 99 * 1024, {256, 128, 1024, 128}},
    Machine{"RTX 5090", "sm80", 170, 1, 99 * 1024, {256, 128, 1024, 128}},
    Machine{"H200", "sm90", 132, 1, 227 * 1024, {1234, 610, 2453, 128}},
    Machine{"H100 PCIe", "sm90", 114, 1, 227 * 1024, {1234, 610, 2453, 128}},
    Machine{"H20", "sm90", 78, 1, 227 * 1024, {1234, 610, 2453, 128}},
    Machine{"MI250X", "gfx90a", 110, 1, 64 * 1024, {512, 0, 512, 128}},
    Machine{"MI300X", "gfx942", 304, 8, 64 * 1024, {1024, 0, 2048, 128}},
    Machine{"MI300A", "gfx942", 228, 6, 64 * 1024, {1024, 0, 2048, 128}},
    Machine{"MI355X", "gfx950", 256, 8, 160 * 1024, {2048, 0, 4096, 128}},
    Machine{"RX 7900 XTX", "gfx1100", 96, 1, 64 * 1024, {256, 0, 256, 64}},
    Machine{"RX 9070 XT", "gfx1201", 64, 1, 64 * 1024, {512, 0, 1024, 64}},
};

/// The machine that stands for a target.
/// @par Errors  bad_input: none does
constexpr Machine const& machine_of(std::string_view target) {
  for (Machine const& machine : machines) {
    if (machine.target == target) return machine;
  }
  bad_input("no machine stands for target '" + std::string(target) + "': add one to machine.hpp");
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

/// The machine of this name, however it is spelt: "RTX 4090", "rtx4090" and "rtx-4090" are one.
/// @par Errors  bad_input with the list of names if there is none
inline Machine const& machine_named(std::string_view name) {
  auto const bare = [](std::string_view text) {
    std::string letters;
    for (char const each : text) {
      if (each != ' ' && each != '-') letters += char(std::tolower(static_cast<unsigned char>(each)));
    }
    return letters;
  };
  std::string known;
  for (Machine const& machine : machines) {
    if (bare(machine.name) == bare(name)) return machine;
    known += (known.empty() ? "" : ", ") + std::string(machine.name);
  }
  bad_input("there is no machine '" + std::string(name) + "': choose one of " + known);
}

}  // namespace tilestep
