#pragma once
// A block's tiles of C, in the order and to the length along K that a schedule says.

#include <tilestep/block.hpp>                // copy with an atom
#include <tilestep/block/gemm_params.hpp>    // GemmParams
#include <tilestep/block/pipeline.hpp>       // tiles in flight
#include <tilestep/block/schedule.hpp>       // which tile, when

namespace tilestep::persistent_blocks {

/// What a GEMM kernel is given, and its schedule. Where K is split, C is the workspace: (M,N,(L,slices)).
template <class TIn, class TOut, class TScale>
struct ScheduledParams : GemmParams<TIn, TIn, TOut, TScale> {
  TileSchedule schedule;
};

/// @tparam Config  a Pipeline: the tile, the instruction, which thread copies what, and how
/// @tparam TOut stored type of C
/// @tparam TScale of alpha and beta
/// @tparam Persistent  a block may have several tiles
template <class Config, class TOut, class TScale, bool Persistent = false>
struct ScheduledGemm {
  using Params = ScheduledParams<typename Config::In, TOut, TScale>;
  using BlkM = typename Config::BlkM;
  using BlkN = typename Config::BlkN;
  using BlkK = typename Config::BlkK;
  using CopyA = typename Config::CopyA;
  using CopyB = typename Config::CopyB;
  using Mma = typename Config::Mma;
  static constexpr char const* name = Persistent ? "ScheduledGemm (persistent)" : "ScheduledGemm";
  static constexpr int threads = Config::threads;
  static constexpr int resident_blocks = Config::resident_blocks;
  static constexpr int stages = Config::stages, ahead = Config::ahead;

  struct Shared {
    SharedArray<typename Mma::ValA, stages * cosize_v<typename Config::SmemA>> a;
    SharedArray<typename Mma::ValB, stages * cosize_v<typename Config::SmemB>> b;
  };

  TS_DEVICE void operator()(Shared& memory, Params const& p) const {
    // [turns]
    int const block = int(block_index()), count = Persistent ? uniform(turns(block, p.schedule)) : 1;
    for (int turn = 0; turn < count; ++turn) {
      if (turn > 0) sync_threads();  // all threads have read the shared memory of the tile before
      compute(memory, p, uniform_tile(tile_number(block, turn, p.schedule), p.schedule));
    }
    // [turns]
  }

  /// A tile of C, or a slice of it. @param place (m,n,batch,slice)
  template <class Coord>
  TS_INLINE TS_DEVICE static void compute(Shared& memory, Params const& p, Coord const& place) {
    auto const [tile_m, tile_n, l, slice] = place;
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

    // [loop]
    // K is walked backwards: tile 0 is the last along K, may be ragged there and asks for (m,k); the others ask for m.
    auto const k_first = slice * p.schedule.slice_k_tiles;                              // of this slice
    auto const k_end = min(k_first + p.schedule.slice_k_tiles, size<3>(tAgA));
    auto const k_tiles = uniform(int(k_end - k_first));  // none is left where slices outnumber tiles
    auto load_a = tile_loader<Config::route>(CopyA{}, tAgA(_, _, _, 0));                // of A, in flight
    auto load_b = tile_loader<Config::route>(CopyB{}, tBgB(_, _, _, 0));                // of B, in flight
    TileHalves<Config> halves;  // of the tile that is multiplied

    // Request a tile.
    auto const send = [&](int tile) TS_INLINE_LAMBDA {
      std::int64_t const k = k_end - 1 - tile;  // offsets along K have 64 bits
      load_a.fetch(rows_within(tAcA(_, _, _, k), mA.shape()), tAgA(_, _, _, k), copy_a.partition_D(sA(tile)));
      load_b.fetch(rows_within(tBcB(_, _, _, k), mB.shape()), tBgB(_, _, _, k), copy_b.partition_D(sB(tile)));
      if constexpr (Config::asynchronous) async_commit();
    };
    // Go on to a tile, and request another one.
    auto const enter = [&](int tile, bool more) TS_INLINE_LAMBDA {
      Config::wait(tile + ahead <= k_tiles);
      sync_threads();  // every thread's part of the tile has arrived, and all threads have read the tile before
      if (more) send(tile + ahead);
      halves.read_lower(sA(tile), sB(tile));
    };
    auto const step = [&](int tile, bool more) TS_INLINE_LAMBDA {
      halves.read_upper_multiply_lower(sA(tile), sB(tile), rC);
      if constexpr (stages == 1) sync_threads();  // all threads have read the tile whose place the next one takes
      load_a.land(copy_a.partition_D(sA(tile + 1)));
      load_b.land(copy_b.partition_D(sB(tile + 1)));
      enter(tile + 1, more);
      halves.multiply_upper(rC);
    };
    if (k_tiles > 0) {
      std::int64_t const k = k_end - 1;
      copy_if(CopyA{}, within(tAcA(_, _, _, k), mA.shape()), tAgA(_, _, _, k), copy_a.partition_D(sA(0)));
      copy_if(CopyB{}, within(tBcB(_, _, _, k), mB.shape()), tBgB(_, _, _, k), copy_b.partition_D(sB(0)));
      if constexpr (Config::asynchronous) async_commit();
      for (int tile = 1; tile < ahead && tile < k_tiles; ++tile) send(tile);
      enter(0, ahead < k_tiles);
      int tile = 0;
      for (; tile + 1 + ahead < k_tiles; ++tile) step(tile, true);
      for (; tile + 1 < k_tiles; ++tile) step(tile, false);  // nothing is left to request
      halves.read_upper_multiply_lower(sA(tile), sB(tile), rC);
      halves.multiply_upper(rC);
    }
    // [loop]
    axpby(p.alpha, rC, p.beta, tCgC, within(tCcC, mC.shape()));
  }
};

}  // namespace tilestep::persistent_blocks
