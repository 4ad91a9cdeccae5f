#pragma once
// A solution. The same 8 x 32 threads stand along a row of `in` when they read and along a row of `out` when they
// write. Between the two, shared memory carries the elements from thread to thread.

#include <tilestep/algorithm.hpp>    // make_tensor, local_tile, local_partition, copy
#include <tilestep/block/coord.hpp>  // block_coord

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
    auto gOut = local_tile(mOut, tile, make_coord(tile_n, tile_m));                         // (32,32): (n,m)
    auto sIn  = make_tensor(shared(memory.tile, "tile"), Layout<Shape<_32, _32>, Stride<_32, _1>>{});   // (m,n)
    auto sOut = make_tensor(shared(memory.tile, "tile"), Layout<Shape<_32, _32>, Stride<_1, _32>>{});   // (n,m)

    auto const thr = Layout<Shape<_8, _32>, Stride<_32, _1>>{};                             // neighbours along a row
    copy(local_partition(gIn, thr, thread_index()), local_partition(sIn, thr, thread_index()));
    sync_threads();  // all threads wrote the tile before any reads it
    copy(local_partition(sOut, thr, thread_index()), local_partition(gOut, thr, thread_index()));
  }
};

}  // namespace tilestep
