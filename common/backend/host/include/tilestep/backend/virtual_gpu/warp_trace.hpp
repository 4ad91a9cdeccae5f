#pragma once
// Puts the accesses of a warp's lanes side by side. The lanes run one after another, so the accesses that hardware
// would make in one instruction arrive far apart. They belong together if they come from the same instruction of the
// kernel and are the same lane's n-th use of it: each instruction has rows of addresses, and a lane writes into the
// first row it has not used.

#include <tilestep/backend/report.hpp>                   // Counters
#include <tilestep/backend/virtual_gpu/instruction.hpp>  // Instruction
#include <tilestep/backend/virtual_gpu/traffic.hpp>      // Cost, no_address

#include <array>    // std::array
#include <cstdint>  // std::uint32_t
#include <memory>   // std::unique_ptr
#include <vector>   // std::vector

namespace tilestep::virtual_gpu {

enum class Traffic { global_load, global_store, shared_load, shared_store };

/// The addresses that the warp's lanes gave one instruction since they last met.
struct TraceSite {
  Traffic traffic;
  int bytes;
  std::array<std::uint32_t, 64> next;  // lane -> its place in its next row
  std::vector<std::uint32_t> rows;     // rows of one address per lane
  std::uint32_t end = 0;               // of the rows that may be used: 0 until the first use after flush()
  CostMemory costs;
};

/// The accesses of the warp that runs.
class WarpTrace {
 public:
  /// A lane that is this many uses of one instruction ahead waits for its warp, so that memory is bounded.
  static constexpr std::uint32_t most_rows = 128;

  /// Forgets all instructions: another launch begins.
  void begin_launch(TargetInfo const& target, Counters& counters);

  /// Records an access by an instruction. @param address  no_address of an inactive lane
  /// @return false if the instruction has no row left: suspend the thread until flush(), then try again
  bool add(Instruction const& call, Traffic traffic, int bytes, int lane, std::uint32_t address) {
    if (call.site == nullptr) [[unlikely]] call.site = add_site(traffic, bytes);
    TraceSite& site = *call.site;
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
  TraceSite* add_site(Traffic traffic, int bytes);
  bool make_room(TraceSite& site, std::uint32_t at);
  void count(TraceSite& site, std::uint32_t const* row);

  TargetInfo const* target_ = nullptr;
  Counters* counters_ = nullptr;
  int warp_size_ = 32;
  bool assumed_rules_ = false;
  std::vector<std::unique_ptr<TraceSite>> sites_;
  std::vector<TraceSite*> used_;  // since the last flush()
};

}  // namespace tilestep::virtual_gpu
