#pragma once
// Clusters and parts of a block: blocks that run at the same time on neighbouring multiprocessors, warps that wait for
// one another without the rest of their block, and registers that one role hands to another. A kernel says `cluster =
// 2` for clusters of two blocks: blocks 0 and 1, 2 and 3, ..

#include <tilestep/backend/mbarrier.hpp>            // hopper
#include <tilestep/backend/virtual_gpu/current.hpp>  // current
#include <tilestep/backend/virtual_gpu/rendezvous.hpp>  // begin_among_kernels

namespace tilestep {

/// Which block of its cluster this is.
TS_DEVICE inline int cluster_rank() { return virtual_gpu::current->rank; }

/// Lets the next kernel begin as soon as there is room for its blocks, and waits for the kernels before this one, whose
/// results are seen then. For kernels that say `overlaps = true`: they have begun early, and touch global memory after
/// this call alone. What a block does before it - making mbarriers, fetching tensor maps - costs nothing then. Here
/// kernels run one after another; what a thread touches before this call, and a kernel before may still touch, is a
/// race.
TS_DEVICE inline void begin_among_kernels() { virtual_gpu::begin_among_kernels(); }

/// The same, but the next kernel begins when the blocks of this one have ended.
TS_DEVICE inline void begin_after_kernels() { virtual_gpu::begin_among_kernels(); }

/// Waits for every thread of the cluster. What any of them wrote before, all of them see after.
/// @par Source PTX ISA, "barrier.cluster"
TS_DEVICE inline void sync_cluster(std::source_location place = std::source_location::current()) {
  virtual_gpu::hopper().meet_cluster(place);
}

/// Which warpgroup of the block this thread is in.
TS_DEVICE inline int warpgroup_index() { return virtual_gpu::current->thread / 128; }

/// Waits for `Threads` threads of the block that come to group barrier `id`, whole warps. @param id  1 .. 15: 0 is
/// sync_threads()'s
/// @par Source PTX ISA, "bar"
template <int Threads>
TS_DEVICE void sync_group(int id, std::source_location place = std::source_location::current()) {
  static_assert(Threads > 0 && Threads % 32 == 0,
                "a group barrier counts whole warps: choose a multiple of 32 threads");
  virtual_gpu::hopper().meet_group(id, Threads, true, place);
}
/// Comes to the group barrier and goes on: others wait for this thread, it waits for nobody.
template <int Threads>
TS_DEVICE void arrive_group(int id, std::source_location place = std::source_location::current()) {
  static_assert(Threads > 0 && Threads % 32 == 0,
                "a group barrier counts whole warps: choose a multiple of 32 threads");
  virtual_gpu::hopper().meet_group(id, Threads, false, place);
}

/// This thread, and its warpgroup with it, needs no more than so many registers from here on; others may take the rest.
/// @tparam Registers  24, 32, .. 256
/// @par Source PTX ISA, "setmaxnreg"; the kernel needs a bound at entry, which its number of threads gives
template <int Registers>
TS_DEVICE void give_registers(std::source_location place = std::source_location::current()) {
  static_assert(Registers >= 24 && Registers <= 256 && Registers % 8 == 0,
                "a thread has 24 to 256 registers, in steps of 8");
  virtual_gpu::hopper().set_registers(Registers, false, place);
}
/// Waits until the block has so many registers for each thread of this warpgroup, and takes them.
template <int Registers>
TS_DEVICE void take_registers(std::source_location place = std::source_location::current()) {
  static_assert(Registers >= 24 && Registers <= 256 && Registers % 8 == 0,
                "a thread has 24 to 256 registers, in steps of 8");
  virtual_gpu::hopper().set_registers(Registers, true, place);
}

}  // namespace tilestep
