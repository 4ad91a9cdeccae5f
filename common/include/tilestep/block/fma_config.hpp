#pragma once
// How a block computes its tile of C where it has no matrix instruction: by multiply-adds of single elements. What a
// thread reads from shared memory it should use often: a thread of a large tile has 8 x 16 sums, 24 elements for 128
// multiply-adds. Small problems need more threads than that leaves; those of a small tile have 4 x 8 sums. So do those
// of a tile for few rows, where a warp has 8 rows. A thread reads 16 bytes at once, from tiles that lie along M and N.

#include <tilestep/block/copy.hpp>         // copies by atoms
#include <tilestep/block/gemm_config.hpp>  // BlockTile, Contiguous, tile_copy

namespace tilestep {

/// @tparam BlkTile  a BlockTile, of warps of 64 x 64, 32 x 32 or 8 x 128
/// @tparam AlongA, AlongB  the contiguous modes of A and B
/// @tparam Width  elements that a copy reads at once: 4, or 1 where rows of A or B start at no multiples of 16 bytes
/// @tparam Steps  of K, in one pass of the inner loop
template <class BlkTile, Contiguous AlongA, Contiguous AlongB, int Width = 4, int Steps = 2>
struct FmaConfig {
  using In = float;
  using Instruction = UniversalFMA<float>;
  using BlkM = Int<BlkTile::m>;
  using BlkN = Int<BlkTile::n>;
  using BlkK = Int<BlkTile::k>;
  static constexpr Contiguous along_a = AlongA, along_b = AlongB;
  static constexpr int Vec = 4, steps = Steps, stages = 2;
  static constexpr int warps_m = BlkTile::warps_m, warps_n = BlkTile::warps_n,
                       resident_blocks = BlkTile::resident_blocks;
  static constexpr int warp_m = BlkTile::m / warps_m, warp_n = BlkTile::n / warps_n;  // the tile of a warp
  static_assert(Width == 4 || Width == 1, "FmaConfig: copies read 4 elements at once or 1");
  static_assert(BlkTile::m == warp_m * warps_m && BlkTile::n == warp_n * warps_n &&
                    ((warp_m == warp_n && (warp_m == 64 || warp_m == 32)) || (warp_m == 8 && warp_n == 128)),
                "FmaConfig: 32 lanes have 8 x 16 or 4 x 8 sums each: give each warp 64 x 64, 32 x 32 or 8 x 128 of the "
                "tile");

  // [lanes]
  // 8 x 4 lanes, for 8 rows 2 x 16. Of each 32 rows of a warp a lane has 4 neighbours, of each 16 columns as many.
  // Eight lanes that are served at once are 2 x 4: they ask for few addresses, which lie side by side.
  static constexpr int lanes_m = warp_m == 8 ? 2 : 8, lanes_n = 32 / lanes_m;
  using Lanes = Layout<Shape<Shape<_2, Int<lanes_m / 2>, Int<warps_m>>, Shape<_4, Int<lanes_n / 4>, Int<warps_n>>, _1>,
                       Stride<Stride<_1, _8, Int<32 * warps_n>>, Stride<_2, _8, _32>, _0>>;
  // (lane,warp,neighbour,run) -> m, n
  template <int lanes, int warps, int Extent>
  using Order = Layout<Shape<Int<lanes>, Int<warps>, _4, Int<Extent / (4 * lanes)>>,
                       Stride<_4, Int<Extent>, _1, Int<4 * lanes>>>;
  using OrderM = Order<lanes_m, warps_m, warp_m>;
  using OrderN = Order<lanes_n, warps_n, warp_n>;
  // [lanes]
  using Mma = decltype(make_tiled_mma(MmaAtom<Instruction>{}, Lanes{}, Tile<OrderM, OrderN, Underscore>{}));
  static constexpr int threads = decltype(Mma::size())::value;
  using Read = AutoVectorizingCopyWithAssumedAlignment<128>;

  // [turned]
  /// An operand along K is transposed by the copy: each thread has 4 elements along K and writes them to 4 lines.
  /// 16 x 2 threads of a warp do so at once; with a gap of 4 elements after each line, lines that lie 4 apart start 16
  /// banks from each other. One by one, as in a tile of 8 rows, 4 x 8 threads of a warp read 8 neighbours of 4 rows,
  /// and write them to 8 lines, each 4 banks after the one before. (MN,K)
  template <Contiguous Along, int MN>
  using SharedTile = Layout<Shape<Int<MN>, BlkK>, Stride<_1, Int<Along == Contiguous::k ? MN + 4 : MN>>>;
  template <Contiguous Along, int MN>
  static constexpr auto tile_copy() {
    if constexpr (Width == 1 || (MN == 8 && Along == Contiguous::k)) {
      constexpr int side_by_side = MN < 32 ? MN : 32;
      using Who = std::conditional_t<Along == Contiguous::mn,
                                     Layout<Shape<Int<side_by_side>, Int<threads / side_by_side>>>,
                                     Layout<Shape<Int<threads / 8>, _8>, Stride<_8, _1>>>;
      return make_tiled_copy(CopyAtom<ZeroFillCopy<32>, In>{}, Who{}, Layout<Shape<_1, _1>>{});
    } else if constexpr (Along == Contiguous::mn) {
      return detail::tile_copy<Along, Vec, In, threads, MN, BlkTile::k>();
    } else {
      constexpr int lines = threads / 2 < MN ? threads / 2 : MN, rest = threads / 2 / lines;
      using Who = Layout<Shape<Int<lines>, Shape<_2, Int<rest>>>, Stride<_2, Stride<_1, Int<2 * lines>>>>;
      return make_tiled_copy(CopyAtom<ZeroFillCopy<32 * Vec>, In>{}, Who{}, Layout<Shape<_1, Int<Vec>>>{});
    }
  }
  // [turned]
  using SmemA = SharedTile<AlongA, BlkM::value>;
  using SmemB = SharedTile<AlongB, BlkN::value>;
  using CopyA = decltype(tile_copy<AlongA, BlkM::value>());
  using CopyB = decltype(tile_copy<AlongB, BlkN::value>());

  /// @param layout of A (M,K,L)
  template <class Layout_>
  TS_HOST_DEVICE static auto layout_a(Layout_ const& layout) { return detail::with_contiguous<AlongA>(layout); }
  /// @param layout of B (N,K,L)
  template <class Layout_>
  TS_HOST_DEVICE static auto layout_b(Layout_ const& layout) { return detail::with_contiguous<AlongB>(layout); }
};

}  // namespace tilestep
