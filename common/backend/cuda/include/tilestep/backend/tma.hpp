#pragma once
// Bulk copies by tensor map: TMA moves a box of a matrix to a tile of shared memory, or back, while threads do other
// things. One thread issues a copy. A load ends a phase of an mbarrier, a store is waited for in groups.

#include <tilestep/backend/hopper_asm.hpp>       // TS_HOPPER
#include <tilestep/backend/mbarrier_object.hpp>  // Mbarrier
#include <tilestep/backend/tensor_tile.hpp>      // TensorTile

namespace tilestep {

/// A TensorTile as TMA reads it. A kernel has it among its parameters, and nowhere else.
struct alignas(64) TensorMap {
  unsigned char opaque[128];
};

/// @par Errors  bad_input: what check_tensor_tile() says; not_here: no device with TMA
TensorMap make_tensor_map(TensorTile const& tile);

/// Fetches the description itself, so that the first copy need not wait for it.
TS_HOST_DEVICE TS_INLINE void tma_prefetch([[maybe_unused]] TensorMap const& map) {
  TS_HOPPER("prefetch.tensormap [%0];" : : "l"(&map) : "memory");
}

// Loads of the box that begins at element (x,y[,z]), x contiguous. `barrier` counts the bytes of a whole box, also
// where the matrix ends in it. dst: 128-byte aligned, 1024 bytes where the map swizzles. Multicast: the box, and its
// bytes for the mbarrier, come to the same places in every block of the cluster whose bit is set in `blocks`. Source:
// PTX ISA, "cp.async.bulk.tensor"

template <class T>
TS_HOST_DEVICE TS_INLINE void tma_load([[maybe_unused]] SharedPtr<T> dst, [[maybe_unused]] TensorMap const& map,
                                       [[maybe_unused]] SharedPtr<Mbarrier> barrier, [[maybe_unused]] int x,
                                       [[maybe_unused]] int y) {
  TS_HOPPER("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];"
            : : "r"(detail::shared_address(dst)), "l"(&map), "r"(detail::shared_address(barrier)), "r"(x), "r"(y)
            : "memory");
}
template <class T>
TS_HOST_DEVICE TS_INLINE void tma_load_multicast([[maybe_unused]] SharedPtr<T> dst,
                                                 [[maybe_unused]] TensorMap const& map,
                                                 [[maybe_unused]] SharedPtr<Mbarrier> barrier,
                                                 [[maybe_unused]] unsigned blocks, [[maybe_unused]] int x,
                                                 [[maybe_unused]] int y) {
  TS_HOPPER("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
            "[%0], [%1, {%4, %5}], [%2], %3;"
            : : "r"(detail::shared_address(dst)), "l"(&map), "r"(detail::shared_address(barrier)),
                "h"(static_cast<std::uint16_t>(blocks)), "r"(x), "r"(y)
            : "memory");
}
template <class T>
TS_HOST_DEVICE TS_INLINE void tma_load([[maybe_unused]] SharedPtr<T> dst, [[maybe_unused]] TensorMap const& map,
                                       [[maybe_unused]] SharedPtr<Mbarrier> barrier, [[maybe_unused]] int x,
                                       [[maybe_unused]] int y, [[maybe_unused]] int z) {
  TS_HOPPER("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes "
            "[%0], [%1, {%3, %4, %5}], [%2];"
            : : "r"(detail::shared_address(dst)), "l"(&map), "r"(detail::shared_address(barrier)), "r"(x), "r"(y),
                "r"(z)
            : "memory");
}
template <class T>
TS_HOST_DEVICE TS_INLINE void tma_load_multicast([[maybe_unused]] SharedPtr<T> dst,
                                                 [[maybe_unused]] TensorMap const& map,
                                                 [[maybe_unused]] SharedPtr<Mbarrier> barrier,
                                                 [[maybe_unused]] unsigned blocks, [[maybe_unused]] int x,
                                                 [[maybe_unused]] int y, [[maybe_unused]] int z) {
  TS_HOPPER("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
            "[%0], [%1, {%4, %5, %6}], [%2], %3;"
            : : "r"(detail::shared_address(dst)), "l"(&map), "r"(detail::shared_address(barrier)),
                "h"(static_cast<std::uint16_t>(blocks)), "r"(x), "r"(y), "r"(z)
            : "memory");
}

// Stores of the box, which begins in the matrix. What lies past the end is not written, but for whole pieces of 16
// bytes: where a row ends within one, the tile's next bytes fill it. What other threads wrote to the tile is seen after
// their fence_proxy_async() and a barrier.

template <class T>
TS_HOST_DEVICE TS_INLINE void tma_store([[maybe_unused]] TensorMap const& map, [[maybe_unused]] SharedPtr<T> src,
                                        [[maybe_unused]] int x, [[maybe_unused]] int y) {
  TS_HOPPER("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%2, %3}], [%1];"
            : : "l"(&map), "r"(detail::shared_address(src)), "r"(x), "r"(y) : "memory");
}
template <class T>
TS_HOST_DEVICE TS_INLINE void tma_store([[maybe_unused]] TensorMap const& map, [[maybe_unused]] SharedPtr<T> src,
                                        [[maybe_unused]] int x, [[maybe_unused]] int y, [[maybe_unused]] int z) {
  TS_HOPPER("cp.async.bulk.tensor.3d.global.shared::cta.bulk_group [%0, {%2, %3, %4}], [%1];"
            : : "l"(&map), "r"(detail::shared_address(src)), "r"(x), "r"(y), "r"(z) : "memory");
}
/// Closes the group of the stores that this thread has issued since the last one.
TS_HOST_DEVICE TS_INLINE void tma_store_commit() { TS_HOPPER("cp.async.bulk.commit_group;" : : : "memory"); }
/// Waits until at most the newest `Groups` groups of this thread's stores still read shared memory: the other tiles may
/// be written again.
template <int Groups>
TS_HOST_DEVICE TS_INLINE void tma_store_wait_read() {
  TS_HOPPER("cp.async.bulk.wait_group.read %0;" : : "n"(Groups) : "memory");
}
/// Waits until at most the newest `Groups` groups of this thread's stores are under way at all.
template <int Groups>
TS_HOST_DEVICE TS_INLINE void tma_store_wait() {
  TS_HOPPER("cp.async.bulk.wait_group %0;" : : "n"(Groups) : "memory");
}

}  // namespace tilestep
