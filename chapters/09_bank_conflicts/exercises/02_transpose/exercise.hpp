#pragma once
// The exercise: write a kernel that transposes a matrix through shared memory: whole sectors on both sides, and no two
// lanes in one bank. The body is empty.

#include <tilestep/backend/kernel.hpp>   // block_index, thread_index, sync_threads
#include <tilestep/backend/pointer.hpp>  // global, shared

namespace tilestep {

/// out(n,m) = in(m,n), both row-major.
struct TransposeParams {
  float const* in;  // (M,N)
  float* out;       // (N,M)
  int M, N;
};

/// A block has one tile of 32 x 32, with 8 warps: tile (block_index() / tiles_n, block_index() % tiles_n).
struct Transpose {
  using Params = TransposeParams;
  static constexpr char const* name = "Transpose";
  static constexpr int threads = 256;
  struct Shared {
    SharedArray<float, 32 * 32> tile;  // up to 32 * 36 elements are allowed
  };

  /// Use global(p.in)[i], shared(memory.tile, "tile")[i] and global(p.out)[i]: one element for each lane.
  TS_DEVICE void operator()(Shared& /*memory*/, Params const& /*p*/) const {}
};

}  // namespace tilestep
