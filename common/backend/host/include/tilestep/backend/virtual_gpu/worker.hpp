#pragma once
// One CPU thread's share of the virtual GPU: it runs one block at a time, thread by thread, and keeps what the block
// did. block.cpp decides who runs when, record.cpp checks accesses, async.cpp keeps copies in flight, hazards.cpp puts
// what is wrong into words.

#include <tilestep/backend/timeline.hpp>                       // TimelineEvent
#include <tilestep/backend/virtual_gpu/async_copies.hpp>      // CopyEnd
#include <tilestep/backend/virtual_gpu/copies_in_flight.hpp>  // ThreadCopies
#include <tilestep/backend/virtual_gpu/current.hpp>        // Current
#include <tilestep/backend/virtual_gpu/fiber.hpp>          // Fiber
#include <tilestep/backend/virtual_gpu/hazard_log.hpp>     // HazardLog
#include <tilestep/backend/virtual_gpu/history_array.hpp>  // Clock, HistoryArray
#include <tilestep/backend/virtual_gpu/hopper.hpp>         // Hopper
#include <tilestep/backend/virtual_gpu/instruction.hpp>    // Instructions
#include <tilestep/backend/virtual_gpu/program.hpp>        // Program
#include <tilestep/backend/virtual_gpu/rendezvous.hpp>     // Collective
#include <tilestep/backend/virtual_gpu/uniform_values.hpp>  // UniformValues
#include <tilestep/backend/virtual_gpu/unwritten.hpp>      // first_unwritten
#include <tilestep/backend/virtual_gpu/views.hpp>          // GlobalView, SharedView
#include <tilestep/backend/virtual_gpu/warp_trace.hpp>     // WarpTrace

#include <array>            // std::array
#include <cstdint>          // std::int64_t
#include <exception>        // std::exception_ptr
#include <memory>           // std::unique_ptr
#include <source_location>  // where a thread waits
#include <unordered_set>    // addresses with a race
#include <vector>           // std::vector

namespace tilestep::virtual_gpu {

/// What all workers of a launch share.
struct Launch {
  Program const* program = nullptr;
  TargetInfo const* target = nullptr;
  Schedule schedule{};
  bool check = true;
  bool careful = false;   // full histories of global memory; one worker
  int timeline = -1;  // the thread of the first block whose events are kept
  unsigned unwatched_units = 0;  // sizes of values that a buffer holds with the bits of registers that nobody wrote
};

/// The thread that begin_timeline() was called for; -1 without one.
int thread_of_timeline();

class Worker : public Current {
 public:
  void begin_launch(Launch const& launch);
  /// Runs one cluster of blocks, from block `number` on, the `turn`-th of the schedule.
  void run_blocks(std::int64_t number, std::int64_t turn);
  void end_launch();

  HazardLog hazards;
  Counters counters;
  std::exception_ptr error;  // what a kernel threw
  [[nodiscard]] bool assumed_rules() const { return trace_.assumed_rules(); }

  // What the functions that kernels call ask on behalf of the thread that runs.
  /// The instruction of the kernel that a function of this frame carries out.
  Instruction& instruction(void const* frame) {
    Instruction& found = instructions_.find(static_cast<Frame const*>(frame), running_fiber_->threads_frame);
    found.last[std::size_t(index_)] = clock_.now;
    return found;
  }
  /// The same of a function that is told where it is called.
  Instruction const& instruction(void const* frame, std::source_location const& place) {
    note_place(place);
    Instruction& found = instruction(frame);
    found.place = place;
    return found;
  }
  GlobalView* global_view(std::uintptr_t address, bool is_read_only);
  SharedView* shared_view(std::uintptr_t address, std::int64_t bytes, int element_size, char const* name);
  template <class View>
  bool read(View& view, std::uintptr_t address, int bytes, bool active, Instruction const& call);
  template <class View>
  bool write(View& view, std::uintptr_t address, void const* registers, int bytes, bool active, Instruction const&);
  void check_used(void const* value, int size, char const* where, Instruction const& call);
  void wait_for_block(std::source_location const& place, bool all_memory);
  void wait_for_warp(std::source_location const& place);
  void note_uniform(std::int64_t value, Instruction const& call) { uniform_values_.add(call, lane, value); }
  void meet_in_warp(Collective const& collective, void* data, std::source_location const& place);
  void abandon_thread(char const* sentence);  // what require() wants does not hold
  void issue_copy(CopyEnd<SharedView> to, CopyEnd<GlobalView> from, int bytes, bool active, Instruction const& call);
  void commit_copies();
  void wait_for_copies(int groups, int copies_per_group);

  // Kernels that may begin while those before them run.
  void begin_among_kernels() { threads_[std::size_t(index_)].began = any_began_ = true; }
  [[nodiscard]] bool began_among_kernels() const { return any_began_; }
  [[nodiscard]] bool touched_global_memory_early() const { return any_early_; }

  /// Null for kernels that do not say `only_on`.
  [[nodiscard]] Hopper* hopper() { return hopper_.get(); }

  // What a collective asks while it runs, on behalf of the warp.
  [[nodiscard]] TargetInfo const& target() const { return *launch_.target; }
  /// Do values of this unit say whether they were written? Not where a buffer's own data look like registers that
  /// nobody wrote.
  [[nodiscard]] bool watches(int unit) const { return check && (launch_.unwatched_units & unsigned(unit)) == 0; }
  /// `lane` brings a register that nobody wrote to a collective. @param element  of which operand: "A(3,7)"
  void report_unwritten_operand(int lane, Collective const& collective, std::string const& element);
  void report_missing_lane(int lane, int wanted);           // `lane` wants what a lane that does not exist would bring
  /// The warp cannot do this. @param problem  what is wrong and what would be right, after "... come to NAME at PLACE"
  void report_collective(Kind kind, Collective const& collective, std::string const& problem);

 private:
  friend class Hopper;
  enum class State {
    fresh,
    ready,
    at_block_barrier,
    at_warp_barrier,
    at_collective,
    at_mbarrier,
    at_group,
    at_cluster,
    at_products,
    trace_full,
    abandoned,
    done
  };
  struct Thread {
    State state = State::fresh;
    Fiber* fiber = nullptr;        // of a thread that waits
    std::source_location place{};  // where it waits
    Frame const* frame = nullptr;  // of the function that waits
    Collective const* collective = nullptr;
    void* data = nullptr;          // what it brings to the collective
    int object = 0, detail = 0;    // which mbarrier or group it waits at, and for what
    bool began = false;            // it has waited for the kernels before this one, or met one that has
    bool all_memory = true;        // the barrier of the block that it waits at orders global memory, too
  };
  // A read of memory that nobody had written. It is reported when the barrier interval (shared) or the launch (global)
  // ends, unless it turned out to be one side of a race.
  template <class View>
  struct UninitialisedRead {
    View* view;
    std::int64_t offset;
    Instruction const* call;
    std::int64_t turn, block;
    int thread;
  };
  enum class Progress { again, stopped, broken };

  // block.cpp
  void begin_block(std::int64_t number, std::int64_t turn);
  void run_threads();
  void run_warp_until_it_waits(int first, int lanes);
  Progress meet_warp(int first, int lanes);
  bool meet_blocks();
  void end_interval();
  void drop_waiting_threads();
  void become(int index);
  [[nodiscard]] int block_threads() const { return launch_.program->threads; }
  int take_fresh_thread();
  void run_fresh_threads();
  void stop_here(State state);
  void run_collective(int first, int lanes);
  [[nodiscard]] bool meets(Thread const& one, Thread const& other) const;
  [[nodiscard]] bool all_meet(int first, int last) const;

  // record.cpp
  bool allowed(char const* verb, MemoryView const& view, std::int64_t offset, int bytes, Instruction const& call);
  void trace(Instruction const& call, Traffic traffic, int bytes, std::uint32_t address);
  bool note_read(GlobalView& view, std::int64_t offset, int bytes, Instruction const& call);
  void note_global_read(GlobalView& view, std::int64_t offset, int bytes, Instruction const& call);
  bool note_read(SharedView& view, std::int64_t offset, int bytes, Instruction const& call);
  void check_stored(GlobalView const& view, std::int64_t offset, void const* registers, int bytes, Instruction const&);
  void note_write(GlobalView& view, std::int64_t offset, int bytes, Instruction const& call);
  void note_write(SharedView& view, std::int64_t offset, int bytes, Instruction const& call);

  /// An access to global memory by a thread that has not waited for the kernels before this one, perhaps.
  void check_early(bool is_write, GlobalView const& view, std::int64_t offset, int bytes, Instruction const& call) {
    if (overlaps_ && !threads_[std::size_t(index_)].began) [[unlikely]] note_early(is_write, view, offset, bytes, call);
  }
  void note_early(bool is_write, GlobalView const& view, std::int64_t offset, int bytes, Instruction const& call);
  void share_begin(int first, int last);  // threads that have met

  // timeline.cpp
  [[nodiscard]] bool in_timeline() const { return block == 0 && thread == launch_.timeline; }
  static void add_to_timeline(TimelineEvent::Kind kind, std::string const& what, std::int64_t at);

  // async.cpp
  ThreadCopies& my_copies();
  void land(CopyInFlight const& copy);
  void drop_copies();
  void note_copy(SharedView& view, CopyInFlight const& copy, Instruction const& call);
  void note_copy_conflict(CopyConflict::Action action, SharedView& view, std::int64_t offset, Conflict const& conflict,
                          Instruction const& call);
  bool note_write_to_source(GlobalView& view, std::int64_t offset, int bytes, Instruction const& call);

  // hazards.cpp
  Instruction const& instruction(Thread const& waiting);
  [[nodiscard]] std::string who(std::int64_t block_number, int thread_of_block) const;
  [[nodiscard]] std::string who(int index) const;                  // a thread of the cluster
  [[nodiscard]] std::string thread_name(int index) const;          // without the kernel
  [[nodiscard]] std::string element_at(std::uint32_t at) const;    // of the cluster's shared memory
  [[nodiscard]] std::int64_t block_at(std::uint32_t time) const;
  void report_outside(char const* verb, MemoryView const& view, std::int64_t offset, int bytes, Instruction const&);
  void report_misaligned(char const* verb, MemoryView const& view, std::int64_t offset, int bytes, Instruction const&);
  void report_race(bool is_write, MemoryView const& view, std::int64_t offset, Conflict const& conflict,
                   Instruction const& call, bool is_global_memory = false);
  [[nodiscard]] LineOrder lines_of(Conflict const& conflict, Instruction const& call) const;
  [[nodiscard]] std::string missing_barrier(LineOrder const& lines, Instruction const* theirs,
                                            Instruction const& call) const;
  void report_unwritten_store(GlobalView const& view, std::int64_t offset, Instruction const& call);
  void report_unwritten_use(char const* where, Instruction const& call);
  void report_early(bool is_write, GlobalView const& view, std::int64_t offset, std::string const& before,
                    Instruction const& call);
  void report_unlike_values(int first);  // of the warp that begins with this thread
  void report_divergence(int first, int last);
  void report_copy_conflicts();
  void report_unfinished_copies(int index);
  void report_write_to_source(GlobalView const& view, std::int64_t offset, int copier, CopyInFlight const&,
                              Instruction const& call);
  template <class View>
  void report_uninitialised(std::vector<UninitialisedRead<View>>& reads, std::unordered_set<std::uintptr_t>& raced);

  // The launch and the block.
  Launch launch_;
  std::int64_t turn_ = 0;
  std::int64_t first_block_ = 0;  // of the cluster that runs
  int index_ = 0;                 // the thread that runs, numbered in its cluster
  std::size_t block_bytes_ = 0;   // from the shared memory of one block of the cluster to the next's
  std::unique_ptr<Hopper> hopper_;
  std::int64_t passes_ = 0;       // over the warps of the cluster
  Clock clock_;
  std::vector<std::pair<std::uint32_t, std::int64_t>> block_starts_;  // careful pass: when each block began

  // Memory.
  Instructions instructions_;
  WarpTrace trace_;
  UniformValues uniform_values_;
  std::vector<std::unique_ptr<GlobalView>> global_views_;
  std::array<std::pair<std::uintptr_t, GlobalView*>, 16> recent_pointers_{};
  std::vector<UninitialisedRead<GlobalView>> uninitialised_global_;
  std::unordered_set<std::uintptr_t> raced_global_;
  std::unique_ptr<unsigned char[]> shared_storage_;
  std::size_t shared_capacity_ = 0;
  unsigned char* shared_ = nullptr;
  std::vector<std::unique_ptr<SharedView>> shared_views_;
  HistoryArray shared_histories_;
  std::vector<UninitialisedRead<SharedView>> uninitialised_shared_;
  std::unordered_set<std::uintptr_t> raced_shared_;

  // Asynchronous copies.
  std::vector<ThreadCopies> copies_;  // of each thread; empty until a kernel has to do with copies
  int watched_sources_ = 0;           // copies in flight whose sources may be written to
  std::vector<CopyConflict> copy_conflicts_;

  // Threads.
  std::vector<Thread> threads_;
  std::vector<int> warp_order_, lane_order_;
  std::size_t next_lane_ = 0;   // in lane_order_: who runs next
  int first_thread_ = 0;        // of the warp that runs
  bool overlaps_ = false, any_began_ = false, any_early_ = false;
  std::uint64_t interval_ = 0;  // barriers that this block has passed
  std::vector<std::unique_ptr<Fiber>> fibers_;
  std::vector<Fiber*> idle_fibers_;
  Fiber* running_fiber_ = nullptr;
};

inline bool Worker::allowed(char const* verb, MemoryView const& view, std::int64_t offset, int bytes,
                            Instruction const& call) {
  if (!view.contains(offset, bytes)) [[unlikely]] {
    report_outside(verb, view, offset, bytes, call);
    return false;
  }
  if ((offset & (bytes - 1)) != 0) [[unlikely]] {
    report_misaligned(verb, view, offset, bytes, call);
    return false;
  }
  return true;
}

inline void Worker::trace(Instruction const& call, Traffic traffic, int bytes, std::uint32_t address) {
  while (!trace_.add(call, traffic, bytes, lane, address)) stop_here(State::trace_full);
}

/// The address as the trace wants it: of global memory modulo 4 GiB, of shared memory from its beginning.
inline std::uint32_t trace_address(GlobalView const&, std::uintptr_t address) { return std::uint32_t(address); }
inline std::uint32_t trace_address(SharedView const& view, std::uintptr_t address) {
  return view.offset + std::uint32_t(address - view.begin);
}

/// The worker of whoever calls from a kernel.
inline Worker& worker() { return *static_cast<Worker*>(current); }

}  // namespace tilestep::virtual_gpu
