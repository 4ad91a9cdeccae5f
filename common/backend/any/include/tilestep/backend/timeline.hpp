#pragma once
// What one thread of a kernel did, one thing after the other: pictures of a kernel in time are made from it. The
// virtual GPU records it.

#include <cstdint>  // std::int64_t
#include <string>   // names
#include <vector>   // events

namespace tilestep {

/// One thing that a thread did.
struct TimelineEvent {
  enum class Kind {
    global_load,
    global_store,
    shared_load,   ///< by lanes; ldmatrix is an instruction
    shared_store,
    copy,          ///< an asynchronous copy was issued
    wait,          ///< for asynchronous copies
    barrier,       ///< sync_threads()
    instruction    ///< of a whole warp: a matrix instruction, ldmatrix, a shuffle
  };
  Kind kind;
  std::string what;     ///< the memory's name, of a copy the source's; the instruction's
  /// the byte of that memory where the access begins; of a wait, how many groups of copies it may leave in flight
  std::int64_t at = 0;
};

/// From now on this thread of each kernel's first block is recorded.
/// @par Errors  not_here on a GPU
void begin_timeline(int thread = 0);
/// Its events since then, in order.
std::vector<TimelineEvent> end_timeline();

}  // namespace tilestep
