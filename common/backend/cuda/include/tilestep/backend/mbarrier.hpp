#pragma once
// mbarriers: where producers and consumers of a tile in shared memory meet, and the fences between ordinary accesses
// and those of TMA and the tensor cores, which reach the same memory through the async proxy.

#include <tilestep/backend/hopper_asm.hpp>       // TS_HOPPER
#include <tilestep/backend/mbarrier_object.hpp>  // Mbarrier

namespace tilestep {

/// Has the backend mbarriers, tensor maps, wgmma and clusters? Whether the device has them too is a matter of the
/// target.
inline constexpr bool backend_has_hopper = true;

/// Makes an mbarrier whose phases end with so many arrivals. One thread does it; the others use it after
/// fence_mbarrier_init() by that thread and a barrier.
/// @par Source PTX ISA, "Parallel Synchronization and Communication Instructions: mbarrier"
TS_HOST_DEVICE TS_INLINE void mbarrier_init([[maybe_unused]] SharedPtr<Mbarrier> barrier,
                                            [[maybe_unused]] int arrivals) {
  TS_HOPPER("mbarrier.init.shared::cta.b64 [%0], %1;"
            : : "r"(detail::shared_address(barrier)), "r"(arrivals) : "memory");
}

/// Shows the mbarriers that this thread made to the cluster and to TMA.
TS_HOST_DEVICE TS_INLINE void fence_mbarrier_init() {
  TS_HOPPER("fence.mbarrier_init.release.cluster;" : : : "memory");
}

/// Orders this thread's accesses of shared memory before those of TMA and of the tensor cores that follow.
/// @par Source PTX ISA, "fence.proxy.async"
TS_HOST_DEVICE TS_INLINE void fence_proxy_async() { TS_HOPPER("fence.proxy.async.shared::cta;" : : : "memory"); }

/// One arrival. What this thread did before is seen by those who wait for the end of the phase.
TS_HOST_DEVICE TS_INLINE void mbarrier_arrive([[maybe_unused]] SharedPtr<Mbarrier> barrier) {
  TS_HOPPER("mbarrier.arrive.release.cta.shared::cta.b64 _, [%0];" : : "r"(detail::shared_address(barrier)) : "memory");
}
/// One arrival at the same mbarrier of block `rank` of the cluster. It says that reads are over, products included; for
/// what this thread wrote take sync_cluster(). A release for the whole cluster would wait for every access that the
/// thread has under way, at each arrival.
TS_HOST_DEVICE TS_INLINE void mbarrier_arrive_at([[maybe_unused]] SharedPtr<Mbarrier> barrier,
                                                 [[maybe_unused]] int rank) {
  TS_HOPPER("{ .reg .b32 there; mapa.shared::cluster.u32 there, %0, %1; "
            "mbarrier.arrive.shared::cluster.b64 _, [there]; }"
            : : "r"(detail::shared_address(barrier)), "r"(rank) : "memory");
}
/// One arrival that also announces bytes: the phase ends when copies have brought them.
TS_HOST_DEVICE TS_INLINE void mbarrier_arrive_expect([[maybe_unused]] SharedPtr<Mbarrier> barrier,
                                                     [[maybe_unused]] int bytes) {
  TS_HOPPER("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%0], %1;"
            : : "r"(detail::shared_address(barrier)), "r"(bytes) : "memory");
}

namespace detail {
/// Has the phase of this parity ended? May wait a moment.
TS_HOST_DEVICE TS_INLINE bool mbarrier_try_wait([[maybe_unused]] SharedPtr<Mbarrier> barrier,
                                                [[maybe_unused]] int parity) {
  int ended = 1;
  TS_HOPPER("{ .reg .pred p; mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 p, [%1], %2; selp.s32 %0, 1, 0, p; }"
            : "=r"(ended) : "r"(detail::shared_address(barrier)), "r"(parity) : "memory");
  return ended != 0;
}
}  // namespace detail

/// Waits until the phase of this parity has ended. Phases count from 0; the one before the first has ended, and its
/// parity is 1.
TS_HOST_DEVICE TS_INLINE void mbarrier_wait(SharedPtr<Mbarrier> barrier, int parity) {
  while (!detail::mbarrier_try_wait(barrier, parity)) {
  }
}
/// The same where other blocks of the cluster arrive.
TS_HOST_DEVICE TS_INLINE void mbarrier_wait_cluster([[maybe_unused]] SharedPtr<Mbarrier> barrier,
                                                    [[maybe_unused]] int parity) {
  for (int ended = 0; ended == 0;) {
    ended = 1;
    TS_HOPPER("{ .reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2; "
              "selp.s32 %0, 1, 0, p; }"
              : "=r"(ended) : "r"(detail::shared_address(barrier)), "r"(parity) : "memory");
  }
}

}  // namespace tilestep
