#pragma once
// Hazards as they are found, without repetition: a missing barrier makes thousands of races, and a reader needs one of
// them. What is kept does not depend on which worker ran which block.

#include <tilestep/backend/report.hpp>                    // Hazard
#include <tilestep/backend/virtual_gpu/instruction.hpp>   // Instruction

#include <cstdint>        // std::int64_t
#include <string>         // messages
#include <unordered_map>  // what has been seen
#include <vector>         // std::vector

namespace tilestep::virtual_gpu {

/// One of hazard_kinds: the compiler refuses any other.
struct Kind {
  char const* text;
  consteval Kind(char const* of_table) : text(of_table) {
    if (hazard_name(of_table).empty()) throw "report.hpp: add this kind to hazard_kinds";
  }
  friend bool operator==(Kind const&, Kind const&) = default;
};

/// "kernel.hpp:36", as far as it is known: the kernel's line, else the place from which the instruction's function was
/// called, else nothing.
std::string line_of(Instruction const* instruction);
/// " after kernel.hpp:36 and before kernel.hpp:40": where something is missing. Empty unless both lines are known and
/// two.
std::string between(Instruction const* first, Instruction const* then);
/// "kernel.cpp:12", without folders.
std::string place_name(std::source_location const& place);

/// The hazards of one worker, or of a whole launch.
class HazardLog {
 public:
  /// One side of a hazard.
  struct Side {
    Instruction const* instruction = nullptr;  // null: not known
    int what = 0;                              // what tells two hazards of one line apart
  };
  /// Two hazards with the same cause are one: the same kind and memory, and the same lines of the kernel; where no
  /// lines are known, the same instruction and variant.
  struct Cause {
    Kind kind;
    std::uint64_t memory;  // the allocation's address or the shared array's offset
    Side here;             // what the thread that runs does
    Side there = {};       // what it meets
    int variant = 0;       // of the message
  };

  static constexpr std::size_t most_shown = 16;

  void clear() {
    entries_.clear();
    seen_.clear();
    known_.clear();
  }
  [[nodiscard]] bool empty() const { return entries_.empty(); }

  /// Counts a hazard. `turn` is when its block runs in the schedule; the first message of each cause is kept.
  template <class Message>
  void add(Cause const& cause, std::int64_t turn, Message&& message) {
    auto const [seen, is_new] = seen_.try_emplace(exactly(cause), entries_.size());
    if (is_new) {
      auto const [known, is_first] = known_.try_emplace(in_words(cause), entries_.size());
      seen->second = known->second;
      if (is_first) entries_.push_back({known->first, cause.kind.text, turn, entries_.size(), 0, message()});
    }
    ++entries_[seen->second].times;
  }

  /// Adds what another worker found.
  void merge(HazardLog const& other);

  /// The hazards in the order of the schedule; after the first ones only their number.
  [[nodiscard]] std::vector<Hazard> hazards() const;

 private:
  struct Entry {
    std::string cause;
    char const* kind;
    std::int64_t turn;
    std::size_t place;  // among the hazards of its worker
    std::int64_t times;
    std::string message;
  };
  // A cause by its instructions.
  struct Exact {
    char const* kind;
    std::uint64_t memory;
    void const *here, *there;
    int what_here, what_there, variant;
    friend bool operator==(Exact const&, Exact const&) = default;
  };
  struct Hash {
    std::size_t operator()(Exact const& cause) const;
  };

  static Exact exactly(Cause const& cause);
  static std::string in_words(Cause const& cause);  // by its lines

  std::vector<Entry> entries_;
  std::unordered_map<Exact, std::size_t, Hash> seen_;         // the number of the entry
  std::unordered_map<std::string, std::size_t> known_;  // likewise
};

}  // namespace tilestep::virtual_gpu
