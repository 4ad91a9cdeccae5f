#pragma once
// Bulk copies by tensor map are NVIDIA's. Their names are declared, so that a kernel which asks backend_has_hopper
// compiles; one that does not ask does not link.

#include <tilestep/backend/mbarrier.hpp>     // backend_has_hopper, Mbarrier
#include <tilestep/backend/tensor_tile.hpp>  // TensorTile

namespace tilestep {

struct TensorMap {};
TensorMap make_tensor_map(TensorTile const& tile);

TS_HOST_DEVICE void tma_prefetch(TensorMap const& map);
template <class T>
TS_HOST_DEVICE void tma_load(SharedPtr<T> dst, TensorMap const& map, SharedPtr<Mbarrier> barrier, int x, int y);
template <class T>
TS_HOST_DEVICE void tma_load(SharedPtr<T> dst, TensorMap const& map, SharedPtr<Mbarrier> barrier, int x, int y, int z);
template <class T>
TS_HOST_DEVICE void tma_load_multicast(SharedPtr<T> dst, TensorMap const& map, SharedPtr<Mbarrier> barrier,
                                       unsigned blocks, int x, int y);
template <class T>
TS_HOST_DEVICE void tma_load_multicast(SharedPtr<T> dst, TensorMap const& map, SharedPtr<Mbarrier> barrier,
                                       unsigned blocks, int x, int y, int z);
template <class T> TS_HOST_DEVICE void tma_store(TensorMap const& map, SharedPtr<T> src, int x, int y);
template <class T> TS_HOST_DEVICE void tma_store(TensorMap const& map, SharedPtr<T> src, int x, int y, int z);
TS_HOST_DEVICE void tma_store_commit();
template <int Groups> TS_HOST_DEVICE void tma_store_wait_read();
template <int Groups> TS_HOST_DEVICE void tma_store_wait();

}  // namespace tilestep
