#pragma once
// Wrong answers to the exercise, one at a time.
// 1. Never waits for a copy to have read its buffer. Says: wait with tma_store_wait_read
// 2. No fence between the writes and the copy. Says: missing fence
// 3. No barrier before the copy. Says: race
// 4. Ends while a copy still reads. Says: ends while its copy is in flight
// 5. One buffer, with the wait of two. Says: wait with tma_store_wait_read
// 6. No barrier behind the wait: other threads write before it is over. Says: wait with tma_store_wait_read

#include <tilestep/backend/cluster.hpp>   // sync_group
#include <tilestep/backend/kernel.hpp>    // thread_index
#include <tilestep/backend/mbarrier.hpp>  // fence_proxy_async
#include <tilestep/backend/tma.hpp>       // tma_store_commit, tma_store_wait_read
#include <tilestep/harness/wrong_answer.hpp>  // wrong_answer

namespace tilestep {

/// Stores slabs 0 .. slabs - 1 of a warpgroup's sums. All its 128 threads call it, and after it they are done with the
/// buffers: the shared memory may end.
///   write(slab, buffer)  writes this thread's sums of a slab to buffer 0 or 1; all threads call it
///   send(slab, buffer)   issues the copy of a whole buffer to C; one thread calls it
template <class Write, class Send>
TS_DEVICE void store_slabs(int slabs, Write const& write, Send const& send) {
  bool const leader = thread_index() == 0;
  for (int slab = 0; slab < slabs; ++slab) {
    int const buffer = wrong_answer(5) ? 0 : slab % 2;
    if (leader && !wrong_answer(1)) tma_store_wait_read<1>();
    if (!wrong_answer(6)) sync_group<128>(1);
    write(slab, buffer);
    if (!wrong_answer(2)) fence_proxy_async();
    if (!wrong_answer(3)) sync_group<128>(1);
    if (leader) {
      send(slab, buffer);
      tma_store_commit();
    }
  }
  if (leader && !wrong_answer(4)) tma_store_wait_read<0>();
}

}  // namespace tilestep
