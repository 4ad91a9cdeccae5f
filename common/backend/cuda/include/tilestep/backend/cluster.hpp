#pragma once
// Clusters and parts of a block: blocks that run at the same time on neighbouring multiprocessors, warps that wait for
// one another without the rest of their block, and registers that one role hands to another. A kernel says `cluster =
// 2` for clusters of two blocks: blocks 0 and 1, 2 and 3, ..

#include <tilestep/backend/hopper_asm.hpp>  // TS_HOPPER

namespace tilestep {

/// Which block of its cluster this is.
TS_HOST_DEVICE TS_INLINE int cluster_rank() {
  int rank = 0;
  TS_HOPPER("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}

/// Lets the next kernel begin as soon as there is room for its blocks, and waits for the kernels before this one, whose
/// results are seen then. For kernels that say `overlaps = true`: they have begun early, and touch global memory after
/// this call alone. What a block does before it - making mbarriers, fetching tensor maps - costs nothing then.
/// @par Source PTX ISA, "griddepcontrol"; CUDA C++ Programming Guide, "Programmatic Dependent Launch"
TS_HOST_DEVICE TS_INLINE void begin_among_kernels() {
  TS_HOPPER("griddepcontrol.launch_dependents; griddepcontrol.wait;" : : : "memory");
}

/// The same, but the next kernel begins when the blocks of this one have ended: all multiprocessors have room then, and
/// its blocks get them in the usual order.
TS_HOST_DEVICE TS_INLINE void begin_after_kernels() { TS_HOPPER("griddepcontrol.wait;" : : : "memory"); }

/// Waits for every thread of the cluster. What any of them wrote before, all of them see after.
/// @par Source PTX ISA, "barrier.cluster"
TS_HOST_DEVICE TS_INLINE void sync_cluster() {
  TS_HOPPER("barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;" : : : "memory");
}

/// Which warpgroup of the block this thread is in, as a number that the compiler knows to be the same in all lanes of
/// the warp: what is computed from it needs one register for the warp.
TS_HOST_DEVICE TS_INLINE int warpgroup_index() {
#if defined(__CUDA_ARCH__)
  return __shfl_sync(0xffffffffu, int(threadIdx.x) / 128, 0);
#else
  return 0;
#endif
}

/// Waits for `Threads` threads of the block that come to group barrier `id`, whole warps. @param id  1 .. 15: 0 is
/// sync_threads()'s
/// @par Source PTX ISA, "bar"
template <int Threads>
TS_HOST_DEVICE TS_INLINE void sync_group([[maybe_unused]] int id) {
  static_assert(Threads > 0 && Threads % 32 == 0,
                "a group barrier counts whole warps: choose a multiple of 32 threads");
#if defined(__CUDA_ARCH__)
  asm volatile("bar.sync %0, %1;" : : "r"(id), "n"(Threads) : "memory");
#endif
}
/// Comes to the group barrier and goes on: others wait for this thread, it waits for nobody.
template <int Threads>
TS_HOST_DEVICE TS_INLINE void arrive_group([[maybe_unused]] int id) {
  static_assert(Threads > 0 && Threads % 32 == 0,
                "a group barrier counts whole warps: choose a multiple of 32 threads");
#if defined(__CUDA_ARCH__)
  asm volatile("bar.arrive %0, %1;" : : "r"(id), "n"(Threads) : "memory");
#endif
}

/// This thread, and its warpgroup with it, needs no more than so many registers from here on; others may take the rest.
/// @tparam Registers  24, 32, .. 256
/// @par Source PTX ISA, "setmaxnreg"; the kernel needs a bound at entry, which its number of threads gives
template <int Registers>
TS_HOST_DEVICE TS_INLINE void give_registers() {
  static_assert(Registers >= 24 && Registers <= 256 && Registers % 8 == 0,
                "a thread has 24 to 256 registers, in steps of 8");
  TS_HOPPER("setmaxnreg.dec.sync.aligned.u32 %0;" : : "n"(Registers));
}
/// Waits until the block has so many registers for each thread of this warpgroup, and takes them.
template <int Registers>
TS_HOST_DEVICE TS_INLINE void take_registers() {
  static_assert(Registers >= 24 && Registers <= 256 && Registers % 8 == 0,
                "a thread has 24 to 256 registers, in steps of 8");
  TS_HOPPER("setmaxnreg.inc.sync.aligned.u32 %0;" : : "n"(Registers));
}

}  // namespace tilestep
