#pragma once
// A block's tile of C, with the copies of a later tile between the products of this one.

#include <tilestep/block.hpp>                // copy with an atom
#include <tilestep/block/gemm_params.hpp>    // GemmParams
#include <tilestep/block/interleave.hpp>     // TileProduct
#include <tilestep/block/pipeline.hpp>       // tiles in flight
#include <tilestep/block/schedule.hpp>       // which tile, when

namespace tilestep::interleaving {

/// What a GEMM kernel is given, and its schedule. Where K is split, C is the workspace: (M,N,(L,slices)).
template <class TIn, class TOut, class TScale>
struct ScheduledParams : GemmParams<TIn, TIn, TOut, TScale> {
  TileSchedule schedule;
};

/// @tparam Config  a Pipeline: the tile, the instruction, which thread copies what, and how
/// @tparam TOut stored type of C
/// @tparam TScale of alpha and beta
template <class Config, class TOut, class TScale>
struct InterleavedGemm {
  using Params = ScheduledParams<typename Config::In, TOut, TScale>;
  using BlkM = typename Config::BlkM;
  using BlkN = typename Config::BlkN;
  using BlkK = typename Config::BlkK;
  using CopyA = typename Config::CopyA;
  using CopyB = typename Config::CopyB;
  using Mma = typename Config::Mma;
  static constexpr char const* name = "InterleavedGemm";
  static constexpr int threads = Config::threads;
  static constexpr int resident_blocks = Config::resident_blocks;
  static constexpr int stages = Config::stages, ahead = Config::ahead;

  struct Shared {
    SharedArray<typename Mma::ValA, stages * cosize_v<typename Config::SmemA>> a;
    SharedArray<typename Mma::ValB, stages * cosize_v<typename Config::SmemB>> b;
  };

  TS_DEVICE void operator()(Shared& memory, Params const& p) const {
    auto const [tile_m, tile_n, l, slice] = uniform_tile(int(block_index()), p.schedule);
    auto mA = make_tensor(global(p.a), Config::layout_a(p.layout_a))(_, _, l);          // (M,K)
    auto mB = make_tensor(global(p.b), Config::layout_b(p.layout_b))(_, _, l);          // (N,K)
    auto mC = make_tensor(global(p.c), p.layout_c)(_, _, slice * p.schedule.batches + l);  // (M,N)

    // The tiles of this block, and where in the matrices their elements lie.
    auto const mk = make_coord(tile_m, _);
    auto const nk = make_coord(tile_n, _);
    auto const mn = make_coord(tile_m, tile_n);
    auto gA = local_tile(mA, Tile<BlkM, BlkK>{}, mk);                                   // (BLK_M,BLK_K,k)
    auto gB = local_tile(mB, Tile<BlkN, BlkK>{}, nk);                                   // (BLK_N,BLK_K,k)
    auto gC = local_tile(mC, Tile<BlkM, BlkN>{}, mn);                                   // (BLK_M,BLK_N)
    auto cA = local_tile(make_identity_tensor(mA.shape()), Tile<BlkM, BlkK>{}, mk);     // (BLK_M,BLK_K,k) -> (m,k)
    auto cB = local_tile(make_identity_tensor(mB.shape()), Tile<BlkN, BlkK>{}, nk);     // (BLK_N,BLK_K,k) -> (n,k)
    auto cC = local_tile(make_identity_tensor(mC.shape()), Tile<BlkM, BlkN>{}, mn);     // (BLK_M,BLK_N) -> (m,n)
    auto sA = make_ring<stages>(shared(memory.a, "sA"), typename Config::SmemA{});      // tile -> (BLK_M,BLK_K)
    auto sB = make_ring<stages>(shared(memory.b, "sB"), typename Config::SmemB{});      // tile -> (BLK_N,BLK_K)

    // What this thread copies, from where to where, and which sums it holds.
    auto const copy_a = CopyA::slice(Config::copier(thread_index()));
    auto const copy_b = CopyB::slice(Config::copier(thread_index()));
    auto const mma = Mma::slice(thread_index());
    auto tAgA = copy_a.partition_S(gA);                                                 // (CPY,CPY_M,CPY_K,k)
    auto tAcA = copy_a.partition_S(cA);                                                 // (CPY,CPY_M,CPY_K,k) -> (m,k)
    auto tBgB = copy_b.partition_S(gB);                                                 // (CPY,CPY_N,CPY_K,k)
    auto tBcB = copy_b.partition_S(cB);                                                 // (CPY,CPY_N,CPY_K,k) -> (n,k)
    auto tCgC = mma.partition_C(gC);                                                    // (MMA,MMA_M,MMA_N)
    auto tCcC = mma.partition_C(cC);                                                    // (MMA,MMA_M,MMA_N) -> (m,n)
    auto rC = mma.partition_fragment_C(gC);                                             // (MMA,MMA_M,MMA_N)
    clear(rC);

    // K is walked backwards: tile 0 is the last along K, may be ragged there and asks for (m,k); the others ask for m.
    auto const k_first = slice * p.schedule.slice_k_tiles;                              // of this slice
    auto const k_end = min(k_first + p.schedule.slice_k_tiles, size<3>(tAgA));
    auto const k_tiles = uniform(int(k_end - k_first));  // none is left where slices outnumber tiles
    auto load_a = tile_loader<Config::route>(CopyA{}, tAgA(_, _, _, 0));                // of A, in flight
    auto load_b = tile_loader<Config::route>(CopyB{}, tBgB(_, _, _, 0));                // of B, in flight
    TileProduct<Config> product;                                                        // of the tile that is there

    // [send]
    // Request the i-th of this thread's vectors of a tile: A's come first, then B's.
    auto const send = [&](auto i, int tile) TS_INLINE_LAMBDA {
      std::int64_t const k = k_end - 1 - tile;  // offsets along K have 64 bits
      load_a.fetch_vector(i, rows_within(tAcA(_, _, _, k), mA.shape()), tAgA(_, _, _, k), copy_a.partition_D(sA(tile)));
      load_b.fetch_vector(i - Int<decltype(load_a)::vectors>{}, rows_within(tBcB(_, _, _, k), mB.shape()),
                          tBgB(_, _, _, k), copy_b.partition_D(sB(tile)));
      if constexpr (Config::asynchronous && i.value + 1 == Config::copies) async_commit();
    };
    // [send]
    // [step]
    // Multiply a tile, and go on to the next one.
    auto const step = [&](int tile, bool more) TS_INLINE_LAMBDA {
      product.read_upper_multiply_lower(sA(tile), sB(tile), rC);
      if constexpr (stages == 1) sync_shared();  // all threads have read the tile whose place the next one takes
      load_a.land(copy_a.partition_D(sA(tile + 1)));
      load_b.land(copy_b.partition_D(sB(tile + 1)));
      product.multiply_upper_first(rC);
      Config::wait(tile + 1 + ahead <= k_tiles);
      sync_shared();  // every thread's part of the next tile has arrived, and all threads have read this one
      product.read_lower(sA(tile + 1), sB(tile + 1));
      product.multiply_upper_rest(rC, [&](auto i) TS_INLINE_LAMBDA { if (more) send(i, tile + 1 + ahead); });
    };
    // [step]
    if (k_tiles > 0) {
      std::int64_t const k = k_end - 1;
      copy_if(CopyA{}, within(tAcA(_, _, _, k), mA.shape()), tAgA(_, _, _, k), copy_a.partition_D(sA(0)));
      copy_if(CopyB{}, within(tBcB(_, _, _, k), mB.shape()), tBgB(_, _, _, k), copy_b.partition_D(sB(0)));
      if constexpr (Config::asynchronous) async_commit();
      for (int tile = 1; tile < ahead && tile < k_tiles; ++tile)
        static_for<Config::copies>([&](auto i) TS_INLINE_LAMBDA { send(i, tile); });
      Config::wait(ahead <= k_tiles);
      sync_shared();  // every thread's part of the first tile has arrived
      product.read_lower(sA(0), sB(0));
      if (ahead < k_tiles) static_for<Config::copies>([&](auto i) TS_INLINE_LAMBDA { send(i, ahead); });
      int tile = 0;
      for (; tile + 1 + ahead < k_tiles; ++tile) step(tile, true);
      for (; tile + 1 < k_tiles; ++tile) step(tile, false);  // nothing is left to request
      product.read_upper_multiply_lower(sA(tile), sB(tile), rC);
      product.multiply_upper_first(rC);
      product.multiply_upper_rest(rC, [](auto) {});
    }
    axpby(p.alpha, rC, p.beta, tCgC, within(tCcC, mC.shape()));
  }
};

}  // namespace tilestep::interleaving
