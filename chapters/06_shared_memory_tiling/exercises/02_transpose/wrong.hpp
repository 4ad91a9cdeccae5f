#pragma once
// Wrong answers to the exercise, one at a time.
// 1. No barrier between writing the tile and reading it. Says: race
// 2. The tile is read as it was written. Says: out(0,1) is
// 3. No shared memory: each thread reads along a column. Says: right, but sectors loaded
// 4. The tile stays where it was in the grid. Says: race
// 5. A barrier more than is needed. Says: right, but barriers: 12, at most 6

#include <tilestep/algorithm.hpp>             // make_tensor, local_tile, local_partition, copy
#include <tilestep/block/coord.hpp>           // block_coord
#include <tilestep/harness/wrong_answer.hpp>  // wrong_answer

#include <cstdint>  // std::int64_t

namespace tilestep {

/// out(n,m) = in(m,n), both row by row: in[N m + n], out[M n + m]. M and N are multiples of 32.
struct TransposeParams {
  float const* in;
  float* out;
  std::int64_t M, N;
};

struct Transpose {
  static constexpr char const* name = "Transpose";
  static constexpr int threads = 256;

  /// A tile of `in`, element (m,n) at 32 m + n.
  struct Shared {
    SharedArray<float, 32 * 32> tile;
  };

  /// (tiles along M, tiles along N)
  TS_HOST_DEVICE static auto grid(TransposeParams const& p) { return make_shape(p.M / _32{}, p.N / _32{}); }

  TS_DEVICE void operator()(Shared& memory, TransposeParams const& p) const {
    auto const [tile_m, tile_n] = block_coord(grid(p));
    auto const tile = make_tile(_32{}, _32{});
    auto mIn  = make_tensor(global(p.in), make_shape(p.M, p.N), make_stride(p.N, _1{}));    // (M,N)
    auto mOut = make_tensor(global(p.out), make_shape(p.N, p.M), make_stride(p.M, _1{}));   // (N,M)
    auto gIn  = local_tile(mIn, tile, make_coord(tile_m, tile_n));                          // (32,32): (m,n)
    auto const at = wrong_answer(4) ? make_coord(tile_m, tile_n) : make_coord(tile_n, tile_m);
    auto gOut = local_tile(mOut, tile, at);                        // (32,32): (n,m)
    auto sIn  = make_tensor(shared(memory.tile, "tile"), Layout<Shape<_32, _32>, Stride<_32, _1>>{});   // (m,n)
    auto sOut = make_tensor(shared(memory.tile, "tile"), Layout<Shape<_32, _32>, Stride<_1, _32>>{});   // (n,m)

    auto const thr = Layout<Shape<_8, _32>, Stride<_32, _1>>{};                             // neighbours along a row
    auto const part = [&](auto const& tensor) { return local_partition(tensor, thr, thread_index()); };
    auto const transposed = make_tensor(gIn.data(), select<1, 0>(gIn.layout()));            // (n,m)
    copy(part(gIn), part(sIn));
    if (!wrong_answer(1)) sync_threads();
    if (wrong_answer(5)) sync_threads();
    if (wrong_answer(2)) copy(part(sIn), part(gOut));
    else if (wrong_answer(3)) copy(part(transposed), part(gOut));
    else copy(part(sOut), part(gOut));
  }
};

}  // namespace tilestep
