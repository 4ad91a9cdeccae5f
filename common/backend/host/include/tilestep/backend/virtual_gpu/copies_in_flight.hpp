#pragma once
// Asynchronous copies between their issue and the wait. A thread's copies land in the order of their issue, when it
// waits for them: what the hardware may do at any moment in between happens here as late as it can.

#include <tilestep/backend/virtual_gpu/instruction.hpp>  // Instruction
#include <tilestep/backend/virtual_gpu/views.hpp>        // SharedView, GlobalView

#include <cstddef>  // std::size_t
#include <cstdint>  // std::uintptr_t
#include <vector>   // std::vector

namespace tilestep::virtual_gpu {

/// One copy of one thread.
struct CopyInFlight {
  enum class Source { memory, zeros, nothing } source;  // nothing: a hazard forbids to read, and what lands is poison
  std::uintptr_t from, to;
  int bytes;
  GlobalView* from_view;  // null without checks, and where no memory is read
  SharedView* to_view;    // null without checks
  std::uint64_t group;    // the thread's commits before it
  std::uint32_t issued;   // when, on the block's clock
  Instruction const* call;
  bool watched;           // writes to its source are looked for
  bool told = false;      // a hazard that it takes part in has been reported
  std::uint64_t waits = 0;      // those of its thread before it
  std::uint64_t landed_by = 0;  // which of the thread's waits it landed by, from 1; 0: it is in flight
};

/// Which of a conflict's two lines comes first. Threads of one kernel come to the same lines in the same order: who has
/// been at the other's line since the last barrier comes to its own after it.
struct LineOrder {
  bool theirs_first, mine_first;  // both: in a loop without barriers
};

/// A touch of memory that an asynchronous copy writes to, not in order with it. What is missing shows at the end of the
/// barrier interval: by then the copy's thread has waited or not.
struct CopyConflict {
  enum Action { reads, writes, copies } action;
  SharedView* view;
  std::int64_t offset;
  Instruction const* call;   // the touch
  Instruction const* issue;  // the copy
  int copier, other;
  std::uint64_t copy;   // its number among its thread's; 0: forgotten
  std::uint64_t waits;  // those of the other thread before its touch
  bool after_issue;     // a barrier, or the order of the program, puts the touch after the copy's issue
  bool was_first;       // nothing had been written there before the copy
  bool in_group;        // the copy's group was closed
  bool left_in_flight;  // the other thread has waited since the copy's issue
  LineOrder lines;      // as the other thread sees it: its own touch, and the copy's issue
};

/// The copies of one thread. They are numbered from 1 in the order of their issue, which is the order in which they
/// land.
class ThreadCopies {
 public:
  void clear() {
    copies_.clear();
    oldest_ = 0;
    groups_ = waits_ = dropped_ = 0;
  }
  void issue(CopyInFlight const& copy) {
    if (copies_.size() >= remembered && 2 * oldest_ >= copies_.size()) {
      copies_.erase(copies_.begin(), copies_.begin() + std::ptrdiff_t(oldest_));
      dropped_ += oldest_;
      oldest_ = 0;
    }
    copies_.push_back(copy);
  }
  void commit() { ++groups_; }
  void begin_wait() { ++waits_; }
  /// The oldest copy in flight has landed.
  void land() { copies_[oldest_++].landed_by = waits_; }

  [[nodiscard]] std::uint64_t groups() const { return groups_; }  // committed so far
  [[nodiscard]] std::uint64_t waits() const { return waits_; }    // begun so far
  [[nodiscard]] bool used() const { return issued() + groups_ + waits_ > 0; }
  [[nodiscard]] std::uint64_t issued() const { return dropped_ + copies_.size(); }
  [[nodiscard]] std::uint64_t landed() const { return dropped_ + oldest_; }
  [[nodiscard]] std::size_t in_flight() const { return copies_.size() - oldest_; }
  [[nodiscard]] CopyInFlight& oldest() { return copies_[oldest_]; }

  /// The copy of this number; null once it has been forgotten, long after it landed.
  [[nodiscard]] CopyInFlight* find(std::uint64_t number) {
    return number > dropped_ && number <= issued() ? &copies_[std::size_t(number - dropped_ - 1)] : nullptr;
  }
  /// The number of the newest copy to `address`; 0 if none is remembered.
  [[nodiscard]] std::uint64_t writing_to(std::uintptr_t address) {
    for (std::uint64_t number = issued(); number > dropped_; --number) {
      CopyInFlight const& copy = *find(number);
      if (address - copy.to < std::uintptr_t(copy.bytes)) return number;
    }
    return 0;
  }

 private:
  static constexpr std::size_t remembered = 64;  // landed copies are kept while these are few, for messages

  std::vector<CopyInFlight> copies_;  // in flight from the oldest_ on
  std::size_t oldest_ = 0;
  std::uint64_t groups_ = 0, waits_ = 0, dropped_ = 0;
};

}  // namespace tilestep::virtual_gpu
