#pragma once
// Who touched a piece of memory last, and whether that was in order with the thread that touches it now. This is the
// whole rule for races: two accesses by different threads, at least one a write, with no barrier between them. The
// answer does not depend on the order in which the threads happened to run.

#include <tilestep/backend/virtual_gpu/instruction.hpp>  // short_number
#include <tilestep/backend/virtual_gpu/order.hpp>        // Order

#include <array>    // std::array
#include <cstdint>  // std::uint32_t

namespace tilestep::virtual_gpu {

/// Time is a count of synchronisations. An access carries the time it was made at; a barrier moves time on.
struct Clock {
  std::uint32_t now = 1;
  std::uint32_t launch = 1;   // when the launch began
  std::uint32_t block = 1;    // when this block began
  std::uint32_t barrier = 1;  // when all threads of the block last met
  std::uint32_t global_barrier = 1;  // when they last met in a barrier that orders global memory, too
  std::array<std::uint32_t, 8> barriers{1, 1, 1, 1, 1, 1, 1, 1};  // the same for each block of a cluster
  std::array<std::uint32_t, 8> global_barriers{1, 1, 1, 1, 1, 1, 1, 1};
  int block_threads = 1024;   // threads are numbered in the cluster, block after block
  Order const* order = nullptr;  // what else threads know of one another
  std::array<std::uint32_t, 32> warp{};  // when all lanes of each warp last met in sync_warp()
  int warp_shift = 5;         // log2 of the warp size

  void begin_block() {
    block = barrier = global_barrier = ++now;
    barriers.fill(now);
    global_barriers.fill(now);
  }
  /// @param all_memory  not of shared memory alone
  void meet_block(int rank = 0, bool all_memory = true) {
    barriers[std::size_t(rank)] = barrier = ++now;
    if (all_memory) global_barriers[std::size_t(rank)] = global_barrier = now;
  }
  void run_block(int rank) {
    barrier = barriers[std::size_t(rank)];
    global_barrier = global_barriers[std::size_t(rank)];
  }
  /// As accesses to global memory see it.
  [[nodiscard]] Clock of_global_memory() const {
    Clock clock = *this;
    clock.barrier = global_barrier;
    return clock;
  }
  void meet_warp(int index) { warp[std::size_t(index)] = ++now; }
};

/// An earlier access that is not in order with the present one.
struct Conflict {
  bool found = false;
  bool was_write = false;
  bool was_copy = false;  // an asynchronous copy, in flight or landed
  bool was_first = false; // a copy into memory that nothing had been written to before
  int thread = 0;
  std::uint32_t time = 0;
  int instruction = 0;    // its number; 0: not known
};

/// The history of one element: its last write, its last read, and one read that is concurrent with that one. Two
/// concurrent reads suffice: a later write that is in order with both is in order with every read.
class History {
 public:
  static constexpr int most_threads = 4096;  ///< of a block or a cluster

  /// The time of an asynchronous copy's write until its thread waits for it: no barrier comes after it, and even its
  /// own thread is not in order with it.
  static constexpr std::uint32_t in_flight = 0xFFFFFFFF;

  /// The common case for shared memory: true if a read by `me` is in order and adds nothing. It was written in this
  /// block, before the last barrier, and enough reads are known.
  [[nodiscard]] bool read_adds_nothing(int me, Clock const& clock) const {
    if (write_time_ < clock.block || write_time_ >= clock.barrier) return false;
    if (read_time_ == clock.now && reader() == me) return true;
    if (read_time_ < clock.barrier || other_time_ < clock.barrier) return false;
    if (!same_warp(reader(), other(), clock)) return true;
    return read_time_ == clock.now && other_time_ == clock.now && same_warp(reader(), me, clock);
  }

  /// The other common case: true, after recording it, for the first read since the last barrier of what was written in
  /// this block before that.
  bool read_after_barrier(int me, Clock const& clock, int instruction = 0) {
    if (write_time_ < clock.block || write_time_ >= clock.barrier || read_time_ >= clock.barrier) return false;
    read_time_ = clock.now;
    set_reader(me);
    read_by_ = short_number(instruction);
    return true;
  }

  /// The same for a write: true, after recording it, if nothing happened here since the last barrier.
  bool write_after_barrier(int me, Clock const& clock, int instruction = 0) {
    if (write_time_ >= clock.barrier || read_time_ >= clock.barrier || other_time_ >= clock.barrier) return false;
    write_time_ = clock.now;
    set_writer(me, 0, instruction);
    return true;
  }

  /// Records a read by `me`. Accesses before `begin` (of the launch for global, of the block for shared memory) do not
  /// count. @param instruction  its number, for the conflicts that come after
  Conflict read(int me, Clock const& clock, std::uint32_t begin, int instruction = 0) {
    Conflict const conflict = check_write(me, clock, begin);
    bool const read_counts = concurrent(read_time_, reader(), me, clock, begin);
    bool const other_counts = concurrent(other_time_, other(), me, clock, begin);
    if (!read_counts) {
      read_time_ = clock.now;
      set_reader(me);
      read_by_ = short_number(instruction);
      if (!other_counts) other_time_ = 0;
    } else if (!other_counts || same_warp(reader(), other(), clock)) {
      // Keep the pair that is hardest to be in order with: readers of two warps are ordered by a barrier alone.
      if (!other_counts || !same_warp(reader(), me, clock)) {
        other_time_ = clock.now;
        other_ = std::uint16_t(me);
        other_by_ = short_number(instruction);
      }
    }
    return conflict;
  }

  /// Records a write by `me`.
  Conflict write(int me, Clock const& clock, std::uint32_t begin, int instruction = 0) {
    Conflict const conflict = check_all(me, clock, begin);
    write_time_ = clock.now;
    set_writer(me, 0, instruction);
    return conflict;
  }

  /// Records that `me` issues an asynchronous copy to here.
  Conflict begin_copy(int me, Clock const& clock, std::uint32_t begin, int instruction = 0) {
    Conflict const conflict = check_all(me, clock, begin);
    set_writer(me, copied | (write_time_ < begin ? first : 0), instruction);
    write_time_ = in_flight;
    return conflict;
  }

  /// Records that `me` has waited for its copy.
  void end_copy(int me, Clock const& clock) {
    if (write_time_ == in_flight && writer() == me) write_time_ = clock.now;
  }

  /// Whether an access by `thread` at `time` may happen at the same moment as one by `me` now.
  static bool concurrent(std::uint32_t time, int thread, int me, Clock const& clock, std::uint32_t begin) {
    if (time < begin) return false;                            // before all that counts
    if (time < clock.block) return true;                       // another block: nothing orders blocks
    if (thread == me) return false;                            // the program order lies between
    bool const same_block = clock.order == nullptr || thread / clock.block_threads == me / clock.block_threads;
    if (same_block && time < clock.barrier) return false;      // a barrier does
    if (same_warp(thread, me, clock) && time < clock.warp[std::size_t(me >> clock.warp_shift)]) return false;
    return clock.order == nullptr || !clock.order->before(time, thread, me);
  }

  /// When it was last written; 0 = never.
  [[nodiscard]] std::uint32_t write_time() const { return write_time_; }

 private:
  [[nodiscard]] int writer() const { return int(threads_ & 0xFFF); }
  [[nodiscard]] int reader() const { return int(threads_ >> 12 & 0xFFF); }
  [[nodiscard]] int other() const { return other_; }
  void set_reader(int thread) { threads_ = (threads_ & ~0xFFF000u) | std::uint32_t(thread) << 12; }

  void set_writer(int thread, std::uint32_t what, int instruction) {
    threads_ = (threads_ & 0xFFF000u) | std::uint32_t(thread) | what;
    written_by_ = short_number(instruction);
  }

  static bool same_warp(int a, int b, Clock const& clock) { return a >> clock.warp_shift == b >> clock.warp_shift; }

  [[nodiscard]] Conflict check_write(int me, Clock const& clock, std::uint32_t begin) const {
    if (write_time_ != in_flight && !concurrent(write_time_, writer(), me, clock, begin)) return {};
    return {true, true, (threads_ & copied) != 0, (threads_ & first) != 0, writer(), write_time_, written_by_};
  }

  [[nodiscard]] Conflict check_all(int me, Clock const& clock, std::uint32_t begin) const {
    Conflict const write = check_write(me, clock, begin);
    if (write.found) return write;
    if (concurrent(read_time_, reader(), me, clock, begin))
      return {true, false, false, false, reader(), read_time_, read_by_};
    if (concurrent(other_time_, other(), me, clock, begin))
      return {true, false, false, false, other(), other_time_, other_by_};
    return {};
  }

  static constexpr std::uint32_t copied = 1u << 30, first = 1u << 31;

  std::uint32_t write_time_ = 0, read_time_ = 0, other_time_ = 0;
  std::uint32_t threads_ = 0;  // writer and reader: twelve bits each; then what the last write was
  std::uint16_t other_ = 0;    // the other reader
  std::uint16_t written_by_ = 0, read_by_ = 0, other_by_ = 0;  // numbers of instructions
};
static_assert(sizeof(History) == 24, "each element of memory has one");

}  // namespace tilestep::virtual_gpu
