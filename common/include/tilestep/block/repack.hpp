#pragma once
// A copy of an operand as the GEMM reads it best: rows along K, each at a multiple of 16 bytes, extents padded with
// zeros to whole tiles of the copy. It costs one pass over each operand, M K + N K elements, beside the M N K products
// of the GEMM.

#include <tilestep/block/coord.hpp>        // block_coord
#include <tilestep/block/copy.hpp>         // copies by atoms
#include <tilestep/block/gemm_config.hpp>  // Contiguous, tile_copy

namespace tilestep {

/// @tparam Layout_  of three modes, strides known at run time
template <class T, class Layout_>
struct RepackParams {
  T const* from;
  T* to;
  Layout_ layout_from;  ///< (MN,K,L)
  Layout_ layout_to;    ///< (MN,K,L), padded: whole tiles, stride 1 along K
};

/// A tile through shared memory: read along the mode in which the source lies, written along K.
/// @tparam T  any type of 1, 2, 4 or 8 bytes: nothing is computed
template <class T, class Layout_>
struct Repack {
  using Params = RepackParams<T, Layout_>;
  using Blk = _64;
  static constexpr char const* name = "Repack";
  static constexpr int threads = 256, vec = 16 / int(sizeof(T));
  using ReadAlongK = decltype(detail::tile_copy<Contiguous::k, 1, T, threads, 64, 64>());
  using ReadAlongMN = decltype(detail::tile_copy<Contiguous::mn, 1, T, threads, 64, 64>());
  using Write = decltype(detail::tile_copy<Contiguous::k, vec, T, threads, 64, 64>());
  // a gap of 16 bytes after each row: the elements of a column lie in more banks
  using SmemTile = Layout<Shape<Blk, Blk>, Stride<Int<64 + vec>, _1>>;

  struct Shared {
    SharedArray<T, cosize_v<SmemTile>> tile;
  };

  TS_HOST_DEVICE static auto grid(Params const& p) {
    auto const [MN, K, L] = p.layout_to.shape();
    return make_shape(ceil_div(MN, Blk{}), ceil_div(K, Blk{}), L);
  }

  TS_DEVICE void operator()(Shared& memory, Params const& p) const {
    auto const [tile_mn, tile_k, l] = block_coord(grid(p));
    auto mFrom = make_tensor(global(p.from), p.layout_from)(_, _, l);  // (MN,K)
    // (MN,K), padded
    auto mTo = make_tensor(global(p.to), detail::with_contiguous<Contiguous::k>(p.layout_to))(_, _, l);
    auto const at = make_coord(tile_mn, tile_k);
    auto gFrom = local_tile(mFrom, Tile<Blk, Blk>{}, at);  // (BLK,BLK)
    auto cFrom = local_tile(make_identity_tensor(mFrom.shape()), Tile<Blk, Blk>{}, at);  // (BLK,BLK) -> (mn,k)
    auto gTo = local_tile(mTo, Tile<Blk, Blk>{}, at);  // (BLK,BLK)
    auto sTile = make_tensor(shared(memory.tile, "tile"), SmemTile{});  // (BLK,BLK)

    // [repack]
    // Read along the source's contiguous mode, zeros outside. All reads come before the first write, so that they wait
    // for memory together.
    auto const read_with = [&](auto const& tiled) {
      auto const mine = tiled.slice(thread_index());
      auto const tFrom = mine.partition_S(gFrom);  // (CPY,CPY_MN,CPY_K)
      auto rTile = make_fragment_like<T>(tFrom);  // (CPY,CPY_MN,CPY_K)
      copy_if(tiled, within(mine.partition_S(cFrom), mFrom.shape()), tFrom, rTile);
      copy(tiled, rTile, mine.partition_D(sTile));
    };
    if (stride<1>(mFrom.layout()) == 1) read_with(ReadAlongK{});
    else read_with(ReadAlongMN{});
    sync_threads();  // all threads wrote the tile before any reads it
    blockwise_copy(Write{}, thread_index(), sTile, gTo);
    // [repack]
  }
};

}  // namespace tilestep
