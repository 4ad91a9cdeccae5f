#pragma once
// What orders the operations of several streams. The virtual GPU runs each at once; here a vector clock for each stream
// says which operations are over before the next one of that stream begins on a GPU. Two that use the same bytes, one
// of them writing, must be ordered.

#include <tilestep/backend/report.hpp>  // Hazard

#include <cstdint>   // std::uint64_t
#include <memory>    // operations live as long as a record of their accesses
#include <string>    // names
#include <vector>    // clocks

namespace tilestep::virtual_gpu {

/// How many operations of each stream are over.
using StreamClock = std::vector<std::uint64_t>;

/// A launch, a copy or a collective.
struct Operation {
  std::string name;    ///< such as "kernel gemm"
  std::string stream;  ///< its name
  std::size_t place;   ///< of its stream in clocks
  std::uint64_t number;
  StreamClock before;  ///< what is over when it begins
};

/// The streams of the device. The default stream has place 0.
class StreamOrder {
 public:
  /// Are there operations to tell apart? Without a second stream there are none.
  [[nodiscard]] bool watches() const { return watches_; }
  /// Have all operations been told apart that an unordered one could meet?
  [[nodiscard]] bool is_over(Operation const& operation) const { return covers(host_, operation); }

  /// A new stream, whose operations follow what stands on the default stream now. @return its place
  std::size_t open();
  void close(std::size_t place);

  Operation enqueue(std::size_t place, std::string name, std::string stream);
  /// What is over where the stream has come to now.
  [[nodiscard]] StreamClock now(std::size_t place) const;
  void wait(std::size_t place, StreamClock const& until) { learn(streams_[place].known, until); }
  void host_waits(StreamClock const& until) { learn(host_, until); }
  void host_waits_for_all();

  /// Is the operation over where this clock stands?
  static bool covers(StreamClock const& clock, Operation const& operation) {
    return operation.place < clock.size() && clock[operation.place] >= operation.number;
  }

 private:
  struct OneStream {
    bool open = false;
    std::uint64_t count = 0;  // operations so far
    StreamClock known;
  };
  static void learn(StreamClock& to, StreamClock const& from);

  std::vector<OneStream> streams_{OneStream{.open = true, .known = {}}};
  StreamClock host_;  // what the host has waited for: all that it enqueues follows
  bool watches_ = false;
};

StreamOrder& stream_order();
/// The next operation of the current stream. @pre  stream_order().watches()
std::shared_ptr<Operation const> enqueue_here(std::string name);
/// Is an Enqueued alive? Then copies are parts of its operation.
bool in_enqueued();

/// Bytes of one allocation, in order and apart: [begin, end) of each.
struct ByteRange {
  std::int64_t begin, end;
};
using ByteRanges = std::vector<ByteRange>;

/// Adds bytes behind all others.
inline void append(ByteRanges& to, std::int64_t begin, std::int64_t end) {
  if (!to.empty() && to.back().end == begin) to.back().end = end;
  else to.push_back({begin, end});
}

/// All bytes of both, in order and apart.
ByteRanges united(ByteRanges one, ByteRanges const& other);

/// Two unordered operations that use the same bytes.
struct StreamRace {
  std::shared_ptr<Operation const> before, after;  ///< in the order in which they were enqueued
  bool before_writes, after_writes;
  std::int64_t first;  ///< byte that both use
  std::int64_t bytes;  ///< that both use
};

/// What operations did with one allocation, as far as later ones may not be ordered after them.
class StreamAccesses {
 public:
  /// Compares with what was noted before, and notes.
  /// @return the first race of each operation before
  std::vector<StreamRace> note(std::shared_ptr<Operation const> const& operation, ByteRanges reads, ByteRanges writes);
  void forget() { accesses_.clear(); }

 private:
  struct Access {
    std::shared_ptr<Operation const> operation;
    bool writes;
    ByteRanges ranges;
  };
  std::vector<Access> accesses_;
};

class Allocation;

/// What an operation's report says.
class StreamRaces {
 public:
  void add(Allocation const& memory, std::vector<StreamRace> const& races);
  [[nodiscard]] std::vector<Hazard> const& hazards() const { return hazards_; }

 private:
  std::vector<Hazard> hazards_;
};

/// A copy between an allocation and the host is an operation of the current stream, which the host waits for.
void note_copy(Allocation& memory, std::int64_t offset, std::int64_t bytes, bool to_device);

/// "kernel gemm on stream default reads element 3 of A, which ...": what races, and what would order it.
std::string text_of(StreamRace const& race, std::string const& memory, std::int64_t element_size);

}  // namespace tilestep::virtual_gpu
