#pragma once
// A block's tile of C: while one tile of A and B is multiplied, the next ones are copied to other places in shared
// memory.

#include <tilestep/backend/async.hpp>        // async_commit, async_wait
#include <tilestep/backend/order.hpp>        // issue_in_order
#include <tilestep/block.hpp>                // copy with an atom, read_fragment_A
#include <tilestep/block/gemm_params.hpp>    // GemmParams
#include <tilestep/block/pipeline.hpp>       // Pipeline: tiles that asynchronous copies fill

namespace tilestep::async_copies {

/// @tparam Config  a Pipeline: the tile, the instruction, which thread copies what, and the number of stages
/// @tparam TOut stored type of C
/// @tparam TScale of alpha and beta
template <class Config, class TOut, class TScale>
struct AsyncGemm {
  using Params = GemmParams<typename Config::In, typename Config::In, TOut, TScale>;
  using BlkM = typename Config::BlkM;
  using BlkN = typename Config::BlkN;
  using BlkK = typename Config::BlkK;
  using CopyA = typename Config::CopyA;
  using CopyB = typename Config::CopyB;
  using Mma = typename Config::Mma;
  using HalfK = Int<BlkK::value / 2>;
  static constexpr char const* name = "AsyncGemm";
  static constexpr int threads = Config::threads;
  static constexpr int resident_blocks = Config::resident_blocks;
  static constexpr int stages = Config::stages;

  struct Shared {
    SharedArray<typename Mma::ValA, stages * cosize_v<typename Config::SmemA>> a;
    SharedArray<typename Mma::ValB, stages * cosize_v<typename Config::SmemB>> b;
  };

  TS_HOST_DEVICE static auto grid(Params const& p) {
    auto const [M, N, L] = p.layout_c.shape();
    return make_shape(ceil_div(M, BlkM{}), ceil_div(N, BlkN{}), L);
  }

  /// A tile in two halves along K. @param s (BLK,BLK_K) @return (BLK,BLK_K/2,half)
  template <class Tensor, class Blk>
  TS_DEVICE static auto halves(Tensor const& s, Blk) { return local_tile(s, Tile<Blk, HalfK>{}, make_coord(_0{}, _)); }

  TS_DEVICE void operator()(Shared& memory, Params const& p) const {
    auto const [tile_m, tile_n, l] = block_coord(grid(p));
    auto mA = make_tensor(global(p.a), Config::layout_a(p.layout_a))(_, _, l);          // (M,K)
    auto mB = make_tensor(global(p.b), Config::layout_b(p.layout_b))(_, _, l);          // (N,K)
    auto mC = make_tensor(global(p.c), p.layout_c)(_, _, l);                            // (M,N)

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
    // The places of a tile in shared memory: tile t takes the one that tile t - stages had.
    auto const sA = [&](int tile) {                                                     // tile -> (BLK_M,BLK_K)
      auto const stage = int(unsigned(tile) % unsigned(stages));
      return make_tensor(shared(memory.a, "sA") + stage * int(cosize_v<typename Config::SmemA>),
                         typename Config::SmemA{});
    };
    auto const sB = [&](int tile) {                                                     // tile -> (BLK_N,BLK_K)
      auto const stage = int(unsigned(tile) % unsigned(stages));
      return make_tensor(shared(memory.b, "sB") + stage * int(cosize_v<typename Config::SmemB>),
                         typename Config::SmemB{});
    };

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
    auto rA = mma.partition_fragment_A(halves(sA(0), BlkM{}));                          // (MMA,MMA_M,MMA_K,half)
    auto rB = mma.partition_fragment_B(halves(sB(0), BlkN{}));                          // (MMA,MMA_N,MMA_K,half)
    auto rC = mma.partition_fragment_C(gC);                                             // (MMA,MMA_M,MMA_N)
    clear(rC);

    // [steps]
    // K is walked backwards: tile 0 is the last along K, may be ragged there and asks for (m,k); the others ask for m.
    auto const k_tiles = uniform(int(size<3>(tAgA)));
    auto const send = [&](int tile) TS_INLINE_LAMBDA {
      std::int64_t const k = k_tiles - 1 - tile;  // offsets along K have 64 bits
      copy_if(CopyA{}, rows_within(tAcA(_, _, _, k), mA.shape()), tAgA(_, _, _, k), copy_a.partition_D(sA(tile)));
      copy_if(CopyB{}, rows_within(tBcB(_, _, _, k), mB.shape()), tBgB(_, _, _, k), copy_b.partition_D(sB(tile)));
    };
    // Read the fragments of half a tile, and multiply them. A compiler must not change the order of the two.
    auto const read = [&](int tile, auto half) TS_INLINE_LAMBDA {
      auto const hA = halves(sA(tile), BlkM{});                                         // (BLK_M,BLK_K/2,half)
      auto const hB = halves(sB(tile), BlkN{});                                         // (BLK_N,BLK_K/2,half)
      read_fragment_A<typename Config::ReadA>(Mma{}, thread_index(), hA(_, _, half), rA(_, _, _, half));
      read_fragment_B<typename Config::ReadB>(Mma{}, thread_index(), hB(_, _, half), rB(_, _, _, half));
      issue_in_order();
    };
    auto const multiply = [&](auto half) TS_INLINE_LAMBDA {
      gemm(typename Mma::Atom{}, rA(_, _, _, half), rB(_, _, _, half), rC);
      issue_in_order();
    };
    // [steps]
    // [loop]
    // Go on to a tile, and request another one.
    auto const enter = [&](int tile, bool more) TS_INLINE_LAMBDA {
      async_wait<stages - 2, Config::copies>();  // this thread's part of the tile has arrived
      sync_threads();  // every thread's part has arrived, and all threads have read the tile before
      if (more) send(tile + stages - 1);
      async_commit();  // a group for each tile, empty ones included: so the wait leaves the same number in flight
      read(tile, _0{});
    };
    auto const step = [&](int tile, bool more) TS_INLINE_LAMBDA {
      read(tile, _1{});
      multiply(_0{});
      enter(tile + 1, more);
      multiply(_1{});
    };
    if (k_tiles > 0) {
      std::int64_t const k = k_tiles - 1;
      copy_if(CopyA{}, within(tAcA(_, _, _, k), mA.shape()), tAgA(_, _, _, k), copy_a.partition_D(sA(0)));
      copy_if(CopyB{}, within(tBcB(_, _, _, k), mB.shape()), tBgB(_, _, _, k), copy_b.partition_D(sB(0)));
      async_commit();
      for (int tile = 1; tile < stages - 1; ++tile) {
        if (tile < k_tiles) send(tile);
        async_commit();
      }
      enter(0, stages - 1 < k_tiles);
      int tile = 0;
      for (; tile + stages < k_tiles; ++tile) step(tile, true);
      for (; tile + 1 < k_tiles; ++tile) step(tile, false);  // nothing is left to request
      read(tile, _1{});
      multiply(_0{});
      multiply(_1{});
    }
    // [loop]
    axpby(p.alpha, rC, p.beta, tCgC, within(tCcC, mC.shape()));
  }
};

}  // namespace tilestep::async_copies
