#pragma once
// The solution: one thread issues the copies, so it is the one that can wait for them; a barrier tells the others. The
// fence stands between the writes of each thread and the barrier behind which the copy is issued.

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
TS_DEVICE void store_slabs(int slabs, Write const& write, Send const& send) {
  bool const leader = thread_index() == 0;
  for (int slab = 0; slab < slabs; ++slab) {
    int const buffer = slab % 2;
    if (leader) tma_store_wait_read<1>();  // the copy of slab - 2, from this buffer, has read it
    sync_group<128>(1);
    write(slab, buffer);
    fence_proxy_async();  // what this thread wrote, TMA sees
    sync_group<128>(1);   // the slab is complete
    if (leader) {
      send(slab, buffer);
      tma_store_commit();
    }
  }
  if (leader) tma_store_wait_read<0>();  // shared memory stays until it is read
}

}  // namespace tilestep
