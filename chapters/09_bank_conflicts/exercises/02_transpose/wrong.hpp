#pragma once
// Wrong answers to the exercise, one at a time.
// 1. Rows of 32 elements. Says: right, but wavefronts that read the tile: 6144, at most 192
// 2. No barrier. Says: race
// 3. Straight from global memory to global memory. Says: right, but sectors stored: 6144, at most 768
// 4. The write asks about the element that this thread has read. Says: of a matrix of 33 x 65
// 5. No question about the edges. Says: out of bounds

#include <tilestep/backend/kernel.hpp>        // block_index, thread_index, sync_threads
#include <tilestep/backend/pointer.hpp>       // global, shared
#include <tilestep/harness/wrong_answer.hpp>  // wrong_answer

namespace tilestep {

struct TransposeParams {
  float const* in;  // (M,N)
  float* out;       // (N,M)
  int M, N;
};

struct Transpose {
  using Params = TransposeParams;
  static constexpr char const* name = "Transpose";
  static constexpr int threads = 256;
  struct Shared {
    SharedArray<float, 32 * 33> tile;
  };

  TS_DEVICE void operator()(Shared& memory, Params const& p) const {
    auto const tile = shared(memory.tile, "tile");
    int const pitch = wrong_answer(1) ? 32 : 33;
    int const tiles_n = (p.N + 31) / 32, lane = thread_index() % 32, warp = thread_index() / 32;
    int const m0 = int(block_index()) / tiles_n * 32, n0 = int(block_index()) % tiles_n * 32;
    for (int i = warp; i < 32; i += 8) {
      bool const reads = (m0 + i < p.M && n0 + lane < p.N) || wrong_answer(5);
      if (reads && wrong_answer(3))
        global(p.out)[(n0 + lane) * p.M + m0 + i] = global(p.in)[(m0 + i) * p.N + n0 + lane];
      else if (reads) tile[i * pitch + lane] = global(p.in)[(m0 + i) * p.N + n0 + lane];
    }
    if (wrong_answer(3)) return;
    if (!wrong_answer(2)) sync_threads();
    for (int i = warp; i < 32; i += 8) {
      bool const reads = m0 + i < p.M && n0 + lane < p.N, writes = n0 + i < p.N && m0 + lane < p.M;
      if (wrong_answer(4) ? reads && writes : writes || wrong_answer(5))
        global(p.out)[(n0 + i) * p.M + m0 + lane] = float(tile[lane * pitch + i]);
    }
  }
};

}  // namespace tilestep
