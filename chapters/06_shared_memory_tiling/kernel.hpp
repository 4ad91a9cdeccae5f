#pragma once
// A block's tile of C by matrix instructions: a TiledCopy says which thread copies which vector of A and B into shared
// memory, then every warp reads what it needs.

#include <tilestep/block.hpp>                // copy with an atom, blockwise_gemm
#include <tilestep/block/gemm_config.hpp>    // Contiguous
#include <tilestep/block/gemm_params.hpp>    // GemmParams

namespace tilestep::shared_memory_tiling {

/// @tparam Config  a GemmConfig: the tile, the instruction, which warp has which part of C
/// @tparam TOut stored type of C
/// @tparam TScale of alpha and beta
template <class Config, class TOut, class TScale>
struct BlockGemm {
  using Params = GemmParams<typename Config::In, typename Config::In, TOut, TScale>;
  using BlkM = typename Config::BlkM;
  using BlkN = typename Config::BlkN;
  using BlkK = typename Config::BlkK;
  using Mma = typename Config::Mma;
  static constexpr char const* name = "BlockGemm";
  static constexpr int threads = Config::threads;
  static constexpr int resident_blocks = Config::resident_blocks;

  struct Shared {
    SharedArray<typename Mma::ValA, cosize_v<typename Config::SmemA>> a;
    SharedArray<typename Mma::ValB, cosize_v<typename Config::SmemB>> b;
  };

  // [tiled_copy]
  /// Which thread copies which values of a tile (MN,K): where it stands, which it copies at once, and by which
  /// instruction. Neighbouring threads copy neighbours along the contiguous mode.
  template <Contiguous Along, class MN, class K>
  TS_HOST_DEVICE static constexpr auto tile_copy() {
    using T = typename Config::In;
    using Vec = Int<Config::Vec>;                                           // 16 bytes of T
    using Atom = CopyAtom<CopyBits<Config::Vec * 8 * int(sizeof(T))>, T>;
    if constexpr (Along == Contiguous::mn) {
      using Side = Int<MN::value / Vec::value>;                             // threads that share a column
      return make_tiled_copy(Atom{}, Layout<Shape<Side, Int<threads / Side::value>>, Stride<_1, Side>>{},
                             Layout<Shape<Vec, _1>>{});
    } else {
      using Side = Int<K::value / Vec::value>;                              // threads that share a row
      return make_tiled_copy(Atom{}, Layout<Shape<Int<threads / Side::value>, Side>, Stride<Side, _1>>{},
                             Layout<Shape<_1, Vec>>{});
    }
  }
  // [tiled_copy]

  TS_HOST_DEVICE static auto grid(Params const& p) {
    auto const [M, N, L] = p.layout_c.shape();
    return make_shape(ceil_div(M, BlkM{}), ceil_div(N, BlkN{}), L);
  }

  TS_DEVICE void operator()(Shared& memory, Params const& p) const {
    auto const [tile_m, tile_n, l] = block_coord(grid(p));
    auto mA = make_tensor(global(p.a), Config::layout_a(p.layout_a))(_, _, l);          // (M,K)
    auto mB = make_tensor(global(p.b), Config::layout_b(p.layout_b))(_, _, l);          // (N,K)
    auto mC = make_tensor(global(p.c), p.layout_c)(_, _, l);                            // (M,N)

    // [tiles]
    // The tiles of this block. All of K is one tile.
    auto const mk = make_coord(tile_m, 0);
    auto const nk = make_coord(tile_n, 0);
    auto const mn = make_coord(tile_m, tile_n);
    auto gA = local_tile(mA, Tile<BlkM, BlkK>{}, mk);                                   // (BLK_M,BLK_K)
    auto gB = local_tile(mB, Tile<BlkN, BlkK>{}, nk);                                   // (BLK_N,BLK_K)
    auto gC = local_tile(mC, Tile<BlkM, BlkN>{}, mn);                                   // (BLK_M,BLK_N)
    auto sA = make_tensor(shared(memory.a, "sA"), typename Config::SmemA{});            // (BLK_M,BLK_K)
    auto sB = make_tensor(shared(memory.b, "sB"), typename Config::SmemB{});            // (BLK_N,BLK_K)
    // [tiles]

    // [multiply]
    // Which sums this thread holds.
    auto const mma = Mma::slice(thread_index());
    auto tCgC = mma.partition_C(gC);                                                    // (MMA,MMA_M,MMA_N)
    auto rC = mma.partition_fragment_C(gC);                                             // (MMA,MMA_M,MMA_N)
    clear(rC);

    auto const copy_a = tile_copy<Config::along_a, BlkM, BlkK>();
    auto const copy_b = tile_copy<Config::along_b, BlkN, BlkK>();
    blockwise_copy(copy_a, thread_index(), gA, sA);
    blockwise_copy(copy_b, thread_index(), gB, sB);
    sync_threads();  // all threads wrote sA and sB before any reads them
    blockwise_gemm(Mma{}, thread_index(), sA, sB, rC);
    axpby(p.alpha, rC, p.beta, tCgC);
    // [multiply]
  }
};

}  // namespace tilestep::shared_memory_tiling
