#pragma once
// Which GPU thread runs on this CPU thread. The virtual GPU runs GPU threads one at a time on each of its workers, so a
// kernel finds out who it is by one thread-local pointer. It is null outside a kernel.

#include <cstdint>  // std::int64_t

namespace tilestep::virtual_gpu {

/// What a kernel may ask about the thread that runs.
struct Current {
  int thread = 0;          // in the block
  int lane = 0;            // in the warp
  int warp = 0;            // in the block
  int warp_size = 32;
  std::int64_t block = 0;  // in the grid
  int rank = 0;            // of the block in its cluster
  bool check = false;      // accesses are recorded
  std::int64_t fma = 0;    // calls of fma() so far
};

/// The worker sets it once for a whole launch: fibers never move to another worker.
extern thread_local constinit Current* current;

}  // namespace tilestep::virtual_gpu
