#pragma once
// What memory does for one instruction of a warp, given the address of every lane: sectors or lines of global memory,
// passes over the banks of shared memory. This is where the target's rules are applied.

#include <tilestep/backend/target.hpp>  // PhaseRule

#include <algorithm>  // std::sort, std::find, std::copy_n
#include <array>      // std::array
#include <cstdint>    // std::uint32_t

namespace tilestep::virtual_gpu {

/// Stands for a lane that takes no part.
inline constexpr std::uint32_t no_address = 0xFFFFFFFF;

/// What one request costs and what it would cost at best.
struct Cost {
  int active = 0;  // lanes
  int units = 0;   // sectors, lines or wavefronts
  int ideal = 0;
};

/// Global memory: the segments that the lanes touch, against the fewest that could hold the distinct bytes they ask
/// for. Addresses are taken modulo 4 GiB.
inline Cost global_cost(std::uint32_t const* address, int lanes, int bytes, int segment_bytes) {
  std::array<std::uint32_t, 64> sorted;
  int active = 0;
  bool rising = true;
  for (int lane = 0; lane < lanes; ++lane) {
    if (address[lane] == no_address) continue;
    rising = rising && (active == 0 || sorted[std::size_t(active - 1)] <= address[lane]);
    sorted[std::size_t(active++)] = address[lane];
  }
  if (active == 0) return {};
  if (!rising) std::sort(sorted.begin(), sorted.begin() + active);

  auto const segment = std::uint32_t(segment_bytes);
  int segments = 1, distinct = 1;
  for (int i = 1; i < active; ++i) {
    std::uint32_t const before = sorted[std::size_t(i - 1)], here = sorted[std::size_t(i)];
    distinct += here != before;
    segments += here / segment != before / segment;
  }
  return {active, segments, (distinct * bytes + segment_bytes - 1) / segment_bytes};
}

/// Shared memory: for each phase the most distinct words that one bank must give. At best a phase is one wavefront.
inline Cost shared_cost(std::uint32_t const* address, int lanes, int bytes, PhaseRule const& rule) {
  Cost cost;
  std::array<std::array<std::uint32_t, 128>, 16>
      words;  // of each phase: a word is used once however many lanes ask for it
  std::array<int, 16> count{};
  int const words_of_lane = bytes < 4 ? 1 : bytes / 4;
  for (int lane = 0; lane < lanes; ++lane) {
    if (address[lane] == no_address) continue;
    ++cost.active;
    std::size_t const phase = rule.phase_of_lane[std::size_t(lane)];
    std::uint32_t const first = address[lane] / 4;
    int& n = count[phase];
    if (n > 0 && words[phase][std::size_t(n - words_of_lane)] == first) continue;  // the lane before asked for the same
    for (int word = 0; word < words_of_lane; ++word) words[phase][std::size_t(n++)] = first + std::uint32_t(word);
  }
  for (int phase = 0; phase < rule.phases; ++phase) {
    int const n = count[std::size_t(phase)];
    if (n == 0) continue;
    std::uint32_t* const begin = words[std::size_t(phase)].data();
    std::array<std::uint8_t, 64> load{};
    int most = 1;
    if (n > words_of_lane) {
      std::sort(begin, begin + n);
      for (int i = 0; i < n; ++i) {
        if (i > 0 && begin[i] == begin[i - 1]) continue;
        most = std::max<int>(most, ++load[begin[i] % std::uint32_t(rule.banks)]);
      }
    }
    cost.units += most;
    cost.ideal += 1;
  }
  return cost;
}

/// The costs of one instruction of the kernel. Its next row of addresses is nearly always an earlier one moved as a
/// whole; then only where the row begins within a segment (global) or a word (shared) can make a difference.
class CostMemory {
 public:
  /// The cost of the row, by `compute(row)` where it is not known.
  template <class Compute>
  Cost cost(std::uint32_t const* row, int lanes, std::uint32_t period, Compute&& compute) {
    std::uint32_t const moved = row[0] - pattern_[0];
    std::uint32_t differs = lanes != lanes_ || (moved != 0 && !all_active_);
    for (std::size_t lane = 0; lane < std::size_t(lanes); ++lane) differs |= (row[lane] - pattern_[lane]) ^ moved;
    if (differs != 0) {
      std::copy_n(row, lanes, pattern_.begin());
      lanes_ = lanes;
      all_active_ = std::find(row, row + lanes, no_address) == row + lanes;
      ++generation_;
    }
    Known& known = known_[row[0] % period];
    if (known.generation != generation_) known = {generation_, compute(row)};
    return known.cost;
  }

 private:
  struct Known {
    std::uint64_t generation = 0;
    Cost cost;
  };
  int lanes_ = 0;
  bool all_active_ = false;
  std::uint64_t generation_ = 0;  // counts patterns
  std::array<std::uint32_t, 64> pattern_{};
  std::array<Known, 128> known_{};
};

}  // namespace tilestep::virtual_gpu
