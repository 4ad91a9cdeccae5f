#pragma once
// Clusters, group barriers and registers that change hands are NVIDIA's. Their names are declared, so that a kernel
// which asks backend_has_hopper compiles; one that does not ask does not link.

#include <tilestep/backend/mbarrier.hpp>  // backend_has_hopper

namespace tilestep {

TS_HOST_DEVICE int cluster_rank();
TS_HOST_DEVICE void begin_among_kernels();
TS_HOST_DEVICE void begin_after_kernels();
TS_HOST_DEVICE void sync_cluster();
TS_HOST_DEVICE int warpgroup_index();
template <int Threads> TS_HOST_DEVICE void sync_group(int id);
template <int Threads> TS_HOST_DEVICE void arrive_group(int id);
template <int Registers> TS_HOST_DEVICE void give_registers();
template <int Registers> TS_HOST_DEVICE void take_registers();

}  // namespace tilestep
