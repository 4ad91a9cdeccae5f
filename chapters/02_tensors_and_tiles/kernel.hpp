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
  template <class TensorT, class Threads>
  TS_DEVICE static auto part(TensorT const& tile, Threads const& threads) {
    return local_partition(tile, threads, thread_index());
  }
};

/// A thread owns neighbouring elements; those of neighbouring threads lie apart.
struct Packed {
  static constexpr char const* kernel_name = "TileByTileCopy, packed";
  template <class TensorT, class Threads>
  TS_DEVICE static auto part(TensorT const& tile, Threads const& threads) {
    return packed_partition(tile, threads, thread_index());
  }
};
// [partitions]

/// One BLK_M x BLK_N tile per block, shared out among 8 x 32 threads as Partition says.
template <class T, int BLK_M, int BLK_N, class Partition>
struct TileByTileCopy {
  using Params = CopyParams<T>;
  using Shared = NoShared;
  static constexpr char const* name = Partition::kernel_name;
  static constexpr int threads = 256;
  static_assert(BLK_M % 8 == 0 && BLK_N % 32 == 0, "8 x 32 threads must divide the block tile: choose multiples");

  // [kernel]
  /// (tiles along M, tiles along N)
  TS_HOST_DEVICE static auto grid(Params const& p) {
    auto const [M, N] = p.layout_out.shape();
    return make_shape(M / Int<BLK_M>{}, N / Int<BLK_N>{});
  }

  TS_DEVICE void operator()(Shared&, Params const& p) const {
    auto mIn  = make_tensor(global(p.in), p.layout_in);        // (M,N)
    auto mOut = make_tensor(global(p.out), p.layout_out);      // (M,N)

    // [tile]
    // Find this block's tile in both matrices.
    auto const tile = make_tile(Int<BLK_M>{}, Int<BLK_N>{});
    auto const tile_coord = idx2crd(block_index(), grid(p));   // (tile_m,tile_n)
    auto gIn  = local_tile(mIn, tile, tile_coord);             // (BLK_M,BLK_N)
    auto gOut = local_tile(mOut, tile, tile_coord);            // (BLK_M,BLK_N)
    // [tile]

    // [part]
    // Find this thread's part of both tiles.
    auto const thr = make_layout(make_shape(_8{}, _32{}), LayoutRight{});  // (THR_M,THR_N) -> thread
    auto tIn  = Partition::part(gIn, thr);                     // (BLK_M/THR_M,BLK_N/THR_N)
    auto tOut = Partition::part(gOut, thr);                    // (BLK_M/THR_M,BLK_N/THR_N)
    // [part]

    // [copy]
    // All reads start before the first write waits for one of them.
    auto rIn = make_fragment_like<T>(tIn);                     // (BLK_M/THR_M,BLK_N/THR_N)
    copy(tIn, rIn);
    copy(rIn, tOut);
    // [copy]
  }
  // [kernel]
};

}  // namespace tilestep
