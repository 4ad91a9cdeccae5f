#pragma once
// The exercise: write the store of a tile of C by TMA, from a blank function. Slabs go through two buffers in turns, so
// that threads write one while TMA reads the other. A group barrier, sync_group<128>(1), keeps the 128
// threads together.

#include <tilestep/backend/cluster.hpp>   // sync_group
#include <tilestep/backend/kernel.hpp>    // thread_index
#include <tilestep/backend/mbarrier.hpp>  // fence_proxy_async
#include <tilestep/backend/tma.hpp>       // tma_store_commit, tma_store_wait_read

namespace tilestep {

/// Stores slabs 0 .. slabs - 1 of a warpgroup's sums. All its 128 threads call it, and after it they are done with the
/// buffers: the shared memory may end.
///   write(slab, buffer)  writes this thread's sums of a slab to buffer 0 or 1; all threads call it
///   send(slab, buffer)   issues the copy of a whole buffer to C; one thread calls it
template <class Write, class Send>
TS_DEVICE void store_slabs([[maybe_unused]] int slabs, [[maybe_unused]] Write const& write,
                           [[maybe_unused]] Send const& send) {}

}  // namespace tilestep
