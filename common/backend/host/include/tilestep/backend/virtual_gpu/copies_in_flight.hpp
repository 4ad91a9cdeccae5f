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
  std::uint64_t landed_by = 0;  // which of the thread's waits it landed by, from 1; 0: it is in flight
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
