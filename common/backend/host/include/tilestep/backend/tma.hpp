#pragma once
// Bulk copies by tensor map: TMA moves a box of a matrix to a tile of shared memory, or back, while threads do other
// things. One thread issues a copy. A load ends a phase of an mbarrier, a store is waited for in groups.

#include <tilestep/backend/mbarrier.hpp>  // Mbarrier
#include <tilestep/backend/tma_map.hpp>   // TensorMap

namespace tilestep {

/// Fetches the description itself, so that the first copy need not wait for it.
TS_DEVICE inline void tma_prefetch(TensorMap const&) {}

// Loads of the box that begins at element (x,y[,z]), x contiguous. `barrier` counts the bytes of a whole box, also
// where the matrix ends in it. dst: 128-byte aligned, 1024 bytes where the map swizzles. Multicast: the box, and its
// bytes for the mbarrier, come to the same places in every block of the cluster whose bit is set in `blocks`. Source:
// PTX ISA, "cp.async.bulk.tensor"

template <class T>
TS_DEVICE void tma_load(SharedPtr<T> dst, TensorMap const& map, SharedPtr<Mbarrier> barrier, int x, int y,
                        std::source_location place = std::source_location::current()) {
  int const origin[] = {x, y};
  virtual_gpu::hopper().load(dst.address(), map, barrier, 0, origin, 2, place);
}
template <class T>
TS_DEVICE void tma_load_multicast(SharedPtr<T> dst, TensorMap const& map, SharedPtr<Mbarrier> barrier, unsigned blocks,
                                  int x, int y, std::source_location place = std::source_location::current()) {
  int const origin[] = {x, y};
  virtual_gpu::hopper().load(dst.address(), map, barrier, blocks, origin, 2, place);
}
template <class T>
TS_DEVICE void tma_load(SharedPtr<T> dst, TensorMap const& map, SharedPtr<Mbarrier> barrier, int x, int y, int z,
                        std::source_location place = std::source_location::current()) {
  int const origin[] = {x, y, z};
  virtual_gpu::hopper().load(dst.address(), map, barrier, 0, origin, 3, place);
}
template <class T>
TS_DEVICE void tma_load_multicast(SharedPtr<T> dst, TensorMap const& map, SharedPtr<Mbarrier> barrier, unsigned blocks,
                                  int x, int y, int z, std::source_location place = std::source_location::current()) {
  int const origin[] = {x, y, z};
  virtual_gpu::hopper().load(dst.address(), map, barrier, blocks, origin, 3, place);
}

// Stores of the box, which begins in the matrix. What lies past the end is not written, but for whole pieces of 16
// bytes: where a row ends within one, the tile's next bytes fill it. What other threads wrote to the tile is seen after
// their fence_proxy_async() and a barrier.

template <class T>
TS_DEVICE void tma_store(TensorMap const& map, SharedPtr<T> src, int x, int y,
                         std::source_location place = std::source_location::current()) {
  int const origin[] = {x, y};
  virtual_gpu::hopper().store(map, src.address(), origin, 2, place);
}
template <class T>
TS_DEVICE void tma_store(TensorMap const& map, SharedPtr<T> src, int x, int y, int z,
                         std::source_location place = std::source_location::current()) {
  int const origin[] = {x, y, z};
  virtual_gpu::hopper().store(map, src.address(), origin, 3, place);
}
/// Closes the group of the stores that this thread has issued since the last one.
TS_DEVICE inline void tma_store_commit() { virtual_gpu::hopper().commit_stores(); }
/// Waits until at most the newest `Groups` groups of this thread's stores still read shared memory: the other tiles may
/// be written again.
template <int Groups>
TS_DEVICE void tma_store_wait_read() {
  virtual_gpu::hopper().wait_for_stores(Groups);
}
/// Waits until at most the newest `Groups` groups of this thread's stores are under way at all.
template <int Groups>
TS_DEVICE void tma_store_wait() {
  virtual_gpu::hopper().wait_for_stores(Groups);
}

}  // namespace tilestep
