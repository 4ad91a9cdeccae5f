#pragma once
// mbarriers: where producers and consumers of a tile in shared memory meet, and the fences between ordinary accesses
// and those of TMA and the tensor cores, which reach the same memory through the async proxy. A kernel that uses them
// says `only_on = "sm90"`.

#include <tilestep/backend/mbarrier_object.hpp>      // Mbarrier
#include <tilestep/backend/pointer.hpp>              // SharedPtr
#include <tilestep/backend/virtual_gpu/hopper.hpp>   // hopper

#include <source_location>  // which instruction of the kernel this is

namespace tilestep {

/// Has the backend mbarriers, tensor maps, wgmma and clusters? Whether the device has them too is a matter of the
/// target.
inline constexpr bool backend_has_hopper = true;

/// Makes an mbarrier whose phases end with so many arrivals. One thread does it; the others use it after
/// fence_mbarrier_init() by that thread and a barrier.
/// @par Source PTX ISA, "Parallel Synchronization and Communication Instructions: mbarrier"
TS_DEVICE inline void mbarrier_init(SharedPtr<Mbarrier> barrier, int arrivals,
                                    std::source_location place = std::source_location::current()) {
  virtual_gpu::hopper().init(barrier, arrivals, place);
}

/// Shows the mbarriers that this thread made to the cluster and to TMA.
TS_DEVICE inline void fence_mbarrier_init() { virtual_gpu::hopper().fence(false); }

/// Orders this thread's accesses of shared memory before those of TMA and of the tensor cores that follow.
/// @par Source PTX ISA, "fence.proxy.async"
TS_DEVICE inline void fence_proxy_async() { virtual_gpu::hopper().fence(true); }

/// One arrival. What this thread did before is seen by those who wait for the end of the phase.
TS_DEVICE inline void mbarrier_arrive(SharedPtr<Mbarrier> barrier,
                                      std::source_location place = std::source_location::current()) {
  virtual_gpu::hopper().arrive(barrier, -1, 0, place);
}
/// One arrival at the same mbarrier of block `rank` of the cluster. It says that reads are over, products included; for
/// what this thread wrote take sync_cluster().
TS_DEVICE inline void mbarrier_arrive_at(SharedPtr<Mbarrier> barrier, int rank,
                                         std::source_location place = std::source_location::current()) {
  virtual_gpu::hopper().arrive(barrier, rank, 0, place);
}
/// One arrival that also announces bytes: the phase ends when copies have brought them.
TS_DEVICE inline void mbarrier_arrive_expect(SharedPtr<Mbarrier> barrier, int bytes,
                                             std::source_location place = std::source_location::current()) {
  virtual_gpu::hopper().arrive(barrier, -1, bytes, place);
}

/// Waits until the phase of this parity has ended. Phases count from 0; the one before the first has ended, and its
/// parity is 1.
TS_DEVICE inline void mbarrier_wait(SharedPtr<Mbarrier> barrier, int parity,
                                    std::source_location place = std::source_location::current()) {
  virtual_gpu::hopper().wait(barrier, parity, false, place);
}
/// The same where other blocks of the cluster arrive: what they did before is over, too.
TS_DEVICE inline void mbarrier_wait_cluster(SharedPtr<Mbarrier> barrier, int parity,
                                            std::source_location place = std::source_location::current()) {
  virtual_gpu::hopper().wait(barrier, parity, true, place);
}

}  // namespace tilestep
