#pragma once
// Puts the accesses of a warp's lanes side by side. The lanes run one after another, so the accesses that hardware
// would make in one instruction arrive far apart. They belong together if they come from the same instruction of the
// kernel and are the same lane's n-th use of it: each instruction has rows of addresses, and a lane writes into the
// first row it has not used.

#include <tilestep/backend/report.hpp>               // Counters
#include <tilestep/backend/virtual_gpu/traffic.hpp>  // Cost, no_address

#include <array>    // std::array
#include <cstdint>  // std::uintptr_t
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

  /// Records an access by the instruction at `call`. Inactive lanes have no_address.
  /// @return false if the instruction has no row left: suspend the thread until flush(), then try again
  bool add(void const* call, Traffic traffic, int bytes, int lane, std::uint32_t address) {
    Slot* slot = &slots_[slot_of(call)];
    if (slot->call != call) [[unlikely]] slot = &find(call, traffic, bytes);
    Site& site = *slot->site;
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
  struct Slot {
    void const* call = nullptr;
    Site* site = nullptr;
  };

  [[nodiscard]] std::size_t slot_of(void const* call) const {
    return (reinterpret_cast<std::uintptr_t>(call) * 0x9e3779b97f4a7c15) >> shift_;
  }
  Slot& find(void const* call, Traffic traffic, int bytes);
  bool make_room(Site& site, std::uint32_t at);
  void count(Site& site, std::uint32_t const* row);

  TargetInfo const* target_ = nullptr;
  Counters* counters_ = nullptr;
  int warp_size_ = 32;
  bool assumed_rules_ = false;
  int shift_ = 64 - 9;
  std::vector<Slot> slots_ = std::vector<Slot>(512);  // a hash table with linear probing
  std::vector<std::unique_ptr<Site>> sites_;
  std::vector<Site*> used_;  // since the last flush()
};

}  // namespace tilestep::virtual_gpu
