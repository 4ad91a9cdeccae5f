#pragma once
// The solution: a warp reads a row of the tile and writes a column of it. Rows of 33 elements put the elements of a
// column into 32 banks.

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
  static constexpr int threads = 256, pitch = 33;
  struct Shared {
    SharedArray<float, 32 * pitch> tile;
  };

  TS_DEVICE void operator()(Shared& memory, Params const& p) const {
    auto const tile = shared(memory.tile, "tile");
    int const tiles_n = (p.N + 31) / 32, lane = thread_index() % 32, warp = thread_index() / 32;
    int const m0 = int(block_index()) / tiles_n * 32, n0 = int(block_index()) % tiles_n * 32;
    for (int i = warp; i < 32; i += 8) {  // lanes along N
      if (m0 + i < p.M && n0 + lane < p.N) tile[i * pitch + lane] = global(p.in)[(m0 + i) * p.N + n0 + lane];
    }
    sync_threads();  // all threads wrote the tile before any reads it
    for (int i = warp; i < 32; i += 8) {  // lanes along M
      if (n0 + i < p.N && m0 + lane < p.M) global(p.out)[(n0 + i) * p.M + m0 + lane] = float(tile[lane * pitch + i]);
    }
  }
};

}  // namespace tilestep
