#pragma once
// Where threads of a kernel wait for one another. A thread that comes here stops, others run, and it goes on when all
// have come.

#include <cstdint>          // std::uint64_t
#include <source_location>  // which barrier of the kernel this is

namespace tilestep::virtual_gpu {

/// Waits for all threads of the block. @param all_memory  false: it orders shared memory alone
void wait_for_block(std::source_location const& place, bool all_memory = true);

/// Notes a value that the lanes of a warp that come here have to bring alike. Nobody waits: they are compared when the
/// warp stops.
void check_uniform(std::int64_t value, std::source_location const& place);

/// Waits for all lanes of the warp.
void wait_for_warp(std::source_location const& place);

/// The thread has waited for the kernels before this one.
void begin_among_kernels();

class Worker;

/// What the lanes of a warp brought to a collective: a pointer each.
struct Lanes {
  void* const* data;
  int count;  // fewer than a warp has in the block's last, partial warp
  template <class T>
  [[nodiscard]] T& of(int lane) const { return *static_cast<T*>(data[lane]); }
};

/// One instruction of a whole warp, such as a shuffle or a matrix instruction: it happens once, when every lane has
/// come to it, and sees what all of them brought.
struct Collective {
  char const* name;  // for messages: "a shuffle"
  void (*run)(Worker& worker, Lanes const& lanes);
};

/// Brings this lane's data to a collective and returns when it has happened. Lanes that come to different collectives,
/// or to one at different places, are a hazard.
/// @param data  what `collective.run` reads and writes; it lives on this thread's stack
void meet_in_warp(Collective const& collective, void* data, std::source_location const& place);

/// A shuffle. Waits for all lanes of the warp and returns what lane `source` brought. The lane keeps its own value if
/// there is no such lane in any warp; a lane that the block's last, partial warp lacks is a hazard.
std::uint64_t exchange_in_warp(std::uint64_t value, int source, std::source_location const& place);

}  // namespace tilestep::virtual_gpu
