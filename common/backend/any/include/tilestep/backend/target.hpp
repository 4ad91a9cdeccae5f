#pragma once
// The machines a kernel can be written for, as numbers: how wide a warp is, how much shared memory a block may have,
// and by which rules memory serves one instruction of a warp. On the host every target can be chosen at run time.

#include <tilestep/backend/error.hpp>  // bad_input

#include <array>        // std::array
#include <cstdint>      // std::int64_t
#include <string>       // messages
#include <string_view>  // names

namespace tilestep {

enum class Vendor { nvidia, amd };

/// How shared memory serves one access of a warp: lanes of one phase together, phases one after the other. Within a
/// phase each bank gives one 4-byte word per wavefront; lanes that ask for the same word share it.
struct PhaseRule {
  int banks = 32;                                 ///< banks of 4 bytes
  int phases = 1;                                 ///< phases of a whole warp
  std::array<std::uint8_t, 64> phase_of_lane{};   ///< lane -> phase
  bool assumed = false;                           ///< true: no source was found, the rule is a guess
  char const* source = "";                        ///< where the rule is written down
};

/// What the library and the virtual GPU know about a target.
struct TargetInfo {
  std::string_view name;           ///< "sm80", "gfx942", ...
  std::string_view stands_for;     ///< the machines
  Vendor vendor = Vendor::nvidia;
  int warp_size = 32;              ///< threads of a warp (NVIDIA) or wavefront (AMD)
  int max_threads = 1024;          ///< most threads of one block
  int segment_bytes = 32;  ///< what global traffic is counted in: 32-byte sectors (NVIDIA), 128-byte lines (AMD)
  std::array<PhaseRule, 3> read;   ///< shared reads of 4, 8, 16 bytes a lane
  std::array<PhaseRule, 3> write;  ///< shared writes of 4, 8, 16 bytes a lane
  bool async_copy = false;         ///< global to shared memory without registers, each thread to an address of its own
  int async_copy_warp = 0;  ///< ... each warp to one address, lanes side by side: most bytes of a lane, 0: not at all
  bool ldmatrix = false;  ///< lanes read rows of 8 x 8 matrices for each other
  bool stmatrix = false;  ///< ... and write them
  bool tensor_maps = false;  ///< TMA copies tiles that a tensor map describes
  bool clusters = false;  ///< blocks that read each other's shared memory

  /// The rule for an access of this many bytes a lane; 1 and 2 bytes are served as 4.
  [[nodiscard]] constexpr PhaseRule const& phases(bool is_write, int bytes) const {
    return (is_write ? write : read)[bytes == 16 ? 2 : bytes == 8 ? 1 : 0];
  }
};

namespace detail {

/// Phases of `lanes` consecutive lanes.
constexpr PhaseRule consecutive(int warp, int lanes, int banks, bool assumed, char const* source) {
  PhaseRule rule{banks, warp / lanes, {}, assumed, source};
  for (int lane = 0; lane < warp; ++lane) rule.phase_of_lane[std::size_t(lane)] = std::uint8_t(lane / lanes);
  return rule;
}

/// Phases given by a table for lanes 0 to 31; lanes 32 to 63 repeat it in phases of their own.
constexpr PhaseRule halves(std::array<std::uint8_t, 32> const& table, int phases_of_half, int banks, bool assumed,
                           char const* source) {
  PhaseRule rule{banks, 2 * phases_of_half, {}, assumed, source};
  for (std::size_t lane = 0; lane < 64; ++lane) {
    rule.phase_of_lane[lane] = std::uint8_t(table[lane % 32] + (lane < 32 ? 0 : phases_of_half));
  }
  return rule;
}

inline constexpr char const* nvidia_source =
    "CUDA C++ Programming Guide, shared memory; Nsight Compute, shared wavefronts";
inline constexpr char const* cdna_source =
    "Composable Kernel, lds_bank_conflicts.rst; Triton pull requests 9662 and 11365";
inline constexpr char const* gfx950_source = "Triton pull request 11365; HipKittens, phase_results.txt";
inline constexpr char const* no_source = "assumed: no source was found";

// {0-3,20-23} {4-7,16-19} {8-11,28-31} {12-15,24-27}
inline constexpr std::array<std::uint8_t, 32> gfx942_read_16{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3,
                                                             1, 1, 1, 1, 0, 0, 0, 0, 3, 3, 3, 3, 2, 2, 2, 2};
// {0-3,12-15,20-23,24-27} {4-7,8-11,16-19,28-31}
inline constexpr std::array<std::uint8_t, 32> gfx950_read_16{0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0,
                                                             1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1};

constexpr TargetInfo nvidia(std::string_view name, std::string_view stands_for) {
  std::array<PhaseRule, 3> const rules{consecutive(32, 32, 32, false, nvidia_source),
                                       consecutive(32, 16, 32, false, nvidia_source),
                                       consecutive(32, 8, 32, false, nvidia_source)};
  TargetInfo info{name, stands_for, Vendor::nvidia, 32, 1024, 32, rules, rules, true, 0};
  info.ldmatrix = true;
  return info;
}

constexpr TargetInfo hopper(std::string_view name, std::string_view stands_for) {
  TargetInfo info = nvidia(name, stands_for);
  info.stmatrix = info.tensor_maps = info.clusters = true;
  return info;
}

constexpr TargetInfo cdna3(std::string_view name, std::string_view stands_for, bool assumed) {
  PhaseRule const b32 = consecutive(64, 32, 32, true, no_source);
  PhaseRule const b64 = consecutive(64, 16, 32, assumed, cdna_source);
  return {name, stands_for, Vendor::amd, 64, 1024, 128,
          {b32, b64, halves(gfx942_read_16, 4, 32, assumed, cdna_source)},
          {b32, b64, consecutive(64, 8, 32, assumed, cdna_source)}, false, 4};
}

constexpr TargetInfo cdna4(std::string_view name, std::string_view stands_for) {
  PhaseRule const b32 = consecutive(64, 32, 32, true, no_source);
  return {name,
          stands_for,
          Vendor::amd,
          64,
          1024,
          128,
          {b32, consecutive(64, 32, 64, false, gfx950_source), halves(gfx950_read_16, 2, 64, false, gfx950_source)},
          {b32, consecutive(64, 16, 32, false, gfx950_source), consecutive(64, 8, 32, false, gfx950_source)},
          false,
          16};
}

constexpr TargetInfo rdna(std::string_view name, std::string_view stands_for) {
  std::array<PhaseRule, 3> const rules{consecutive(32, 32, 32, true, no_source),
                                       consecutive(32, 16, 32, true, no_source),
                                       consecutive(32, 8, 32, true, no_source)};
  return {name, stands_for, Vendor::amd, 32, 1024, 128, rules, rules};
}

}  // namespace detail

/// Every target.
/// @par Source  gfx90a is assumed to work like gfx942. Asynchronous copies: PTX ISA, cp.async (sm_80 and newer); LLVM,
///     IntrinsicsAMDGPU.td, raw.ptr.buffer.load.lds (4 bytes, on gfx950 16 too); RDNA 3 and 4 ISA: loads to LDS are not
///     there. PTX ISA: ldmatrix (sm_75 and newer), stmatrix, cp.async.bulk.tensor and clusters (sm_90 and newer). Which
///     target has a matrix instruction, wgmma too, the instruction says: instruction.hpp.
inline constexpr std::array<TargetInfo, 7> targets{
    detail::nvidia("sm80", "compute capability 8.x, 10.0 and newer"),
    detail::hopper("sm90", "compute capability 9.0"),
    detail::cdna3("gfx90a", "MI200", true),
    detail::cdna3("gfx942", "MI300", false),
    detail::cdna4("gfx950", "MI350"),
    detail::rdna("gfx1100", "RDNA3 (gfx1101, gfx1102, gfx115x)"),
    detail::rdna("gfx1201", "RDNA4 (gfx1200)"),
};

/// The target of this name.
/// @par Errors  bad_input with the list of names if there is none
inline TargetInfo const& target_info(std::string_view name) {
  std::string known;
  for (TargetInfo const& target : targets) {
    if (target.name == name) return target;
    known += (known.empty() ? "" : ", ") + std::string(target.name);
  }
  bad_input("there is no target '" + std::string(name) + "': choose one of " + known);
}

}  // namespace tilestep
