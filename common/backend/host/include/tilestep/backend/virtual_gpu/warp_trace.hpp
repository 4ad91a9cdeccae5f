#pragma once
// Puts the accesses of a warp's lanes side by side. The lanes run one after another, so the accesses that hardware
// would make in one instruction arrive far apart. They belong together if they come from the same instruction of the
// kernel and are the same lane's n-th use of it: each instruction has rows of addresses, and a lane writes into the
// first row it has not used.

#include <tilestep/backend/report.hpp>               // Counters
#include <tilestep/backend/virtual_gpu/traffic.hpp>  // Cost, no_address

#include <array>    // std::array
#include <cstdint>  // std::uint32_t
#include <memory>   // std::unique_ptr
#include <vector>   // std::vector

namespace tilestep::virtual_gpu {

enum class Traffic { global_load, global_store, shared_load, shared_store };

/// The accesses of the warp that runs.
class WarpTrace {
 public:
  /// A lane that is this many uses of one instruction ahead waits for its warp, so that memory is bounded.
  static constexpr std::uint32_t most_rows = 128;

  /// Forgets all instructions: another launch begins.
  void begin_launch(TargetInfo const& target, Counters& counters);

  /// Records an access by an instruction. @param number  the instruction's, from 1  @param address  no_address of an
  /// inactive lane
  /// @return false if the instruction has no row left: suspend the thread until flush(), then try again
  bool add(int number, Traffic traffic, int bytes, int lane, std::uint32_t address) {
    if (std::size_t(number) >= sites_.size() || sites_[std::size_t(number)] == nullptr) [[unlikely]]
      add_site(number, traffic, bytes);
    Site& site = *sites_[std::size_t(number)];
    std::uint32_t const at = site.next[std::size_t(lane)];
    if (at >= site.end) [[unlikely]] {
      if (!make_room(site, at)) return false;
    }
    site.rows[at] = address;
    site.next[std::size_t(lane)] = at + std::uint32_t(warp_size_);
    return true;
  }

  /// Counts all rows and empties them: the lanes have met, or none can go on.
  void flush();

  /// True if shared memory was counted under a rule without a source.
  [[nodiscard]] bool assumed_rules() const { return assumed_rules_; }

 private:
  struct Site {
    Traffic traffic;
    int bytes;
    std::array<std::uint32_t, 64> next;  // lane -> its place in its next row
    std::vector<std::uint32_t> rows;     // rows of one address per lane
    std::uint32_t end = 0;               // of the rows that may be used: 0 until the first use after flush()
    CostMemory costs;
  };
  void add_site(int number, Traffic traffic, int bytes);
  bool make_room(Site& site, std::uint32_t at);
  void count(Site& site, std::uint32_t const* row);

  TargetInfo const* target_ = nullptr;
  Counters* counters_ = nullptr;
  int warp_size_ = 32;
  bool assumed_rules_ = false;
  std::vector<std::unique_ptr<Site>> sites_;  // by the number of the instruction
  std::vector<Site*> used_;                   // since the last flush()
};

}  // namespace tilestep::virtual_gpu
