#pragma once
// Copy a matrix, one tile per block and a part of the tile per thread. A transposing copy is the same kernel: only
// the layout through which it sees the source differs.

#include <tilestep/algorithm.hpp>  // make_tensor, local_tile, local_partition, copy

#include <cstdint>  // std::int64_t

namespace tilestep {

// [params]
/// (M,N) -> offset in elements. Extents and strides come from the command line, so they are run-time numbers.
using MatrixView = Layout<Shape<std::int64_t, std::int64_t>, Stride<std::int64_t, std::int64_t>>;

/// out(m,n) = in(m,n), each seen through a layout of its own.
template <class T>
struct CopyParams {
  T const* in;
  T* out;
  MatrixView layout_in;   // (M,N)
  MatrixView layout_out;  // (M,N)
};
// [params]

// [partitions]
/// Neighbouring threads own neighbouring elements; a thread's own elements lie apart.
struct Strided {
  static constexpr char const* kernel_name = "TileByTileCopy, strided";
  TS_HOST_DEVICE static auto part(auto const& tile, auto const& threads, int thread) {
    return local_partition(tile, threads, thread);
  }
};

/// A thread owns neighbouring elements; those of neighbouring threads lie apart.
struct Packed {
  static constexpr char const* kernel_name = "TileByTileCopy, packed";
  TS_HOST_DEVICE static auto part(auto const& tile, auto const& threads, int thread) {
    return packed_partition(tile, threads, thread);
  }
};
// [partitions]

/// One BLK_M x BLK_N tile per block, shared out among THR_M x THR_N threads as Partition says.
template <class T, int BLK_M, int BLK_N, class Partition, int THR_M = 8, int THR_N = 32>
struct TileByTileCopy {
  using Params = CopyParams<T>;
  using Shared = NoShared;
  static constexpr char const* name = Partition::kernel_name;
  static constexpr int threads = THR_M * THR_N;
  static_assert(BLK_M % THR_M == 0 && BLK_N % THR_N == 0, "the threads must divide the block tile: choose multiples");

  // [kernel]
  /// (tiles along M, tiles along N)
  TS_HOST_DEVICE static auto grid(Params const& p) {
    auto const [M, N] = p.layout_out.shape();
    return make_shape(M / Int<BLK_M>{}, N / Int<BLK_N>{});
  }

  /// The tile that `block` copies of a matrix (M,N).
  TS_HOST_DEVICE static auto tile_of(auto const& matrix, Params const& p, std::int64_t block) {
    auto const tile = make_tile(Int<BLK_M>{}, Int<BLK_N>{});
    auto const tile_coord = idx2crd(block, grid(p));           // (tile_m,tile_n)
    return local_tile(matrix, tile, tile_coord);               // (BLK_M,BLK_N)
  }

  /// The part that `thread` copies of a tile (BLK_M,BLK_N).
  TS_HOST_DEVICE static auto part_of(auto const& tile, int thread) {
    auto const thr = make_layout(make_shape(Int<THR_M>{}, Int<THR_N>{}), LayoutRight{});  // (THR_M,THR_N) -> thread
    return Partition::part(tile, thr, thread);                 // (BLK_M/THR_M,BLK_N/THR_N)
  }

  TS_DEVICE void operator()(Shared&, Params const& p) const {
    auto mIn  = make_tensor(global(p.in), p.layout_in);        // (M,N)
    auto mOut = make_tensor(global(p.out), p.layout_out);      // (M,N)

    // Find this block's tile in both matrices, and this thread's part of it.
    auto gIn  = tile_of(mIn, p, block_index());                // (BLK_M,BLK_N)
    auto gOut = tile_of(mOut, p, block_index());               // (BLK_M,BLK_N)
    auto tIn  = part_of(gIn, thread_index());                  // (BLK_M/THR_M,BLK_N/THR_N)
    auto tOut = part_of(gOut, thread_index());                 // (BLK_M/THR_M,BLK_N/THR_N)

    // All reads start before the first write waits for one of them.
    auto rIn = make_fragment_like<T>(tIn);                     // (BLK_M/THR_M,BLK_N/THR_N)
    copy(tIn, rIn);
    copy(rIn, tOut);
  }
  // [kernel]
};

}  // namespace tilestep
