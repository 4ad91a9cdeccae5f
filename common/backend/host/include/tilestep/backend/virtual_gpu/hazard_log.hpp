#pragma once
// Hazards as they are found, without repetition: a missing barrier makes thousands of races, and a reader needs one of
// them. What is kept does not depend on which worker ran which block.

#include <tilestep/backend/report.hpp>  // Hazard

#include <algorithm>  // std::sort
#include <cstdint>    // std::int64_t
#include <string>     // messages
#include <vector>     // std::vector

namespace tilestep::virtual_gpu {

/// One of hazard_kinds: the compiler refuses any other.
struct Kind {
  char const* text;
  consteval Kind(char const* of_table) : text(of_table) {
    if (hazard_name(of_table).empty()) throw "report.hpp: add this kind to hazard_kinds";
  }
  friend bool operator==(Kind const&, Kind const&) = default;
};

/// The hazards of one worker, or of a whole launch.
class HazardLog {
 public:
  /// Two hazards with the same cause are one: the same kind, memory and instruction.
  struct Cause {
    Kind kind;
    std::uint64_t memory;  // the allocation's address or the shared array's offset
    void const* call;      // the instruction, or null
    int variant;           // what else tells them apart
    friend bool operator==(Cause const&, Cause const&) = default;
  };

  static constexpr std::size_t most_shown = 16;

  void clear() { entries_.clear(); }
  [[nodiscard]] bool empty() const { return entries_.empty(); }

  /// Counts a hazard. `turn` is when its block runs in the schedule; the first message of each cause is kept.
  template <class Message>
  void add(Cause const& cause, std::int64_t turn, Message&& message) {
    for (Entry& entry : entries_) {
      if (entry.cause == cause) {
        ++entry.times;
        return;
      }
    }
    entries_.push_back({cause, turn, entries_.size(), 1, message()});
  }

  /// Adds what another worker found.
  void merge(HazardLog const& other) {
    for (Entry const& entry : other.entries_) {
      auto const mine =
          std::find_if(entries_.begin(), entries_.end(), [&](Entry const& e) { return e.cause == entry.cause; });
      if (mine == entries_.end()) {
        entries_.push_back(entry);
      } else {
        std::int64_t const times = mine->times + entry.times;
        if (entry.turn < mine->turn) *mine = entry;
        mine->times = times;
      }
    }
  }

  /// The hazards in the order of the schedule; after the first ones only their number.
  [[nodiscard]] std::vector<Hazard> hazards() const {
    std::vector<Entry> sorted = entries_;
    std::sort(sorted.begin(), sorted.end(), [](Entry const& a, Entry const& b) {
      return a.turn != b.turn ? a.turn < b.turn : a.place < b.place;
    });
    std::vector<Hazard> result;
    for (Entry const& entry : sorted) {
      if (result.size() == most_shown) {
        result.push_back(
            {entry.cause.kind.text,
             "and " + std::to_string(sorted.size() - most_shown) + " more hazards of other causes"});
        break;
      }
      std::string const times = entry.times == 1 ? "" : " (" + std::to_string(entry.times) + " times)";
      result.push_back({entry.cause.kind.text, entry.message + times});
    }
    return result;
  }

 private:
  struct Entry {
    Cause cause;
    std::int64_t turn;
    std::size_t place;  // among the hazards of its worker
    std::int64_t times;
    std::string message;
  };
  std::vector<Entry> entries_;
};

}  // namespace tilestep::virtual_gpu
