#pragma once
// mbarriers are Hopper's: AMD GPUs have none. Their names are declared, so that a kernel which asks backend_has_hopper
// compiles; one that does not ask does not link.

#include <tilestep/backend/mbarrier_object.hpp>  // Mbarrier
#include <tilestep/backend/pointer.hpp>          // SharedPtr

namespace tilestep {

/// Has the backend mbarriers, tensor maps, wgmma and clusters? Code that needs them asks, and leaves out what it cannot
/// have.
inline constexpr bool backend_has_hopper = false;

TS_HOST_DEVICE void mbarrier_init(SharedPtr<Mbarrier> barrier, int arrivals);
TS_HOST_DEVICE void fence_mbarrier_init();
TS_HOST_DEVICE void fence_proxy_async();
TS_HOST_DEVICE void mbarrier_arrive(SharedPtr<Mbarrier> barrier);
TS_HOST_DEVICE void mbarrier_arrive_at(SharedPtr<Mbarrier> barrier, int rank);
TS_HOST_DEVICE void mbarrier_arrive_expect(SharedPtr<Mbarrier> barrier, int bytes);
TS_HOST_DEVICE void mbarrier_wait(SharedPtr<Mbarrier> barrier, int parity);
TS_HOST_DEVICE void mbarrier_wait_cluster(SharedPtr<Mbarrier> barrier, int parity);

}  // namespace tilestep
