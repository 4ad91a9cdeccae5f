#pragma once
// A block's tile of C: while one tile of A and B is multiplied, the next one is loaded into registers.

#include <tilestep/backend/order.hpp>        // issue_in_order
#include <tilestep/block.hpp>                // copy with an atom, read_fragment_A
#include <tilestep/block/gemm_params.hpp>    // GemmParams

namespace tilestep::prefetching {

/// What is loaded before it is needed: nothing, as in chapter 10; the next tile, into registers; the fragments of the
/// next half of a tile, too.
enum class Ahead { nothing, tiles, fragments };

/// @tparam Config  a GemmConfig with `ahead`: the tile, the instruction, which thread copies what, what is loaded ahead
/// @tparam TOut stored type of C
/// @tparam TScale of alpha and beta
template <class Config, class TOut, class TScale>
struct PrefetchingGemm {
  using Params = GemmParams<typename Config::In, typename Config::In, TOut, TScale>;
  using BlkM = typename Config::BlkM;
  using BlkN = typename Config::BlkN;
  using BlkK = typename Config::BlkK;
  using CopyA = typename Config::CopyA;
  using CopyB = typename Config::CopyB;
  using Mma = typename Config::Mma;
  using HalfK = Int<BlkK::value / 2>;
  static constexpr char const* name = "PrefetchingGemm";
  static constexpr int threads = Config::threads;
  static constexpr int resident_blocks = Config::resident_blocks;

  struct Shared {
    SharedArray<typename Mma::ValA, cosize_v<typename Config::SmemA>> a;
    SharedArray<typename Mma::ValB, cosize_v<typename Config::SmemB>> b;
  };

  TS_HOST_DEVICE static auto grid(Params const& p) {
    auto const [M, N, L] = p.layout_c.shape();
    return make_shape(ceil_div(M, BlkM{}), ceil_div(N, BlkN{}), L);
  }

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
    auto sA = make_tensor(shared(memory.a, "sA"), typename Config::SmemA{});            // (BLK_M,BLK_K)
    auto sB = make_tensor(shared(memory.b, "sB"), typename Config::SmemB{});            // (BLK_N,BLK_K)

    // What this thread copies, from where to where, and which sums it holds.
    auto const copy_a = CopyA::slice(thread_index());
    auto const copy_b = CopyB::slice(thread_index());
    auto const mma = Mma::slice(thread_index());
    auto tAgA = copy_a.partition_S(gA);                                                 // (CPY,CPY_M,CPY_K,k)
    auto tAcA = copy_a.partition_S(cA);                                                 // (CPY,CPY_M,CPY_K,k) -> (m,k)
    auto tAsA = copy_a.partition_D(sA);                                                 // (CPY,CPY_M,CPY_K)
    auto tBgB = copy_b.partition_S(gB);                                                 // (CPY,CPY_N,CPY_K,k)
    auto tBcB = copy_b.partition_S(cB);                                                 // (CPY,CPY_N,CPY_K,k) -> (n,k)
    auto tBsB = copy_b.partition_D(sB);                                                 // (CPY,CPY_N,CPY_K)
    auto tCgC = mma.partition_C(gC);                                                    // (MMA,MMA_M,MMA_N)
    auto tCcC = mma.partition_C(cC);                                                    // (MMA,MMA_M,MMA_N) -> (m,n)
    auto tArA = make_fragment_like(tAsA);                                               // (CPY,CPY_M,CPY_K)
    auto tBrB = make_fragment_like(tBsB);                                               // (CPY,CPY_N,CPY_K)
    auto hA = local_tile(sA, Tile<BlkM, HalfK>{}, make_coord(_0{}, _));                 // (BLK_M,BLK_K/2,half)
    auto hB = local_tile(sB, Tile<BlkN, HalfK>{}, make_coord(_0{}, _));                 // (BLK_N,BLK_K/2,half)
    auto rA = mma.partition_fragment_A(hA);                                             // (MMA,MMA_M,MMA_K,half)
    auto rB = mma.partition_fragment_B(hB);                                             // (MMA,MMA_N,MMA_K,half)
    auto rC = mma.partition_fragment_C(gC);                                             // (MMA,MMA_M,MMA_N)
    clear(rC);

    // [steps]
    // K is walked backwards: tile 0 is the last along K. It may be ragged there and is copied as in chapter 10; the
    // others are loaded into registers and stored later.
    auto const k_tiles = uniform(int(size<3>(tAgA)));
    auto const load = [&](int tile) TS_INLINE_LAMBDA {
      std::int64_t const k = k_tiles - 1 - tile;  // offsets along K have 64 bits
      copy_if(CopyA{}, rows_within(tAcA(_, _, _, k), mA.shape()), tAgA(_, _, _, k), tArA);
      copy_if(CopyB{}, rows_within(tBcB(_, _, _, k), mB.shape()), tBgB(_, _, _, k), tBrB);
    };
    // Replace the tile in shared memory by the one in registers. A register is stored when its load has arrived.
    auto const replace = [&]() TS_INLINE_LAMBDA {
      sync_threads();  // all threads read this tile before any overwrites it
      copy(CopyA{}, tArA, tAsA);
      copy(CopyB{}, tBrB, tBsB);
      sync_threads();  // all threads wrote the next tile before any reads it
    };
    // Read the fragments of half a tile, and multiply them. A compiler must not change the order of the two.
    auto const read = [&](auto half) TS_INLINE_LAMBDA {
      read_fragment_A<typename Config::ReadA>(Mma{}, thread_index(), hA(_, _, half), rA(_, _, _, half));
      read_fragment_B<typename Config::ReadB>(Mma{}, thread_index(), hB(_, _, half), rB(_, _, _, half));
      issue_in_order();
    };
    auto const multiply = [&](auto half) TS_INLINE_LAMBDA {
      gemm(typename Mma::Atom{}, rA(_, _, _, half), rB(_, _, _, half), rC);
      issue_in_order();
    };
    // [steps]

    if (k_tiles > 0) {
      std::int64_t const k = k_tiles - 1;
      copy_if(CopyA{}, within(tAcA(_, _, _, k), mA.shape()), tAgA(_, _, _, k), tAsA);
      copy_if(CopyB{}, within(tBcB(_, _, _, k), mB.shape()), tBgB(_, _, _, k), tBsB);
      sync_threads();  // all threads wrote the first tile before any reads it
      int tile = 0;
      if constexpr (Config::ahead != Ahead::fragments) {
        // [tiles]
        for (; tile + 1 < k_tiles; ++tile) {
          if (Config::ahead == Ahead::tiles) load(tile + 1);
          static_for<2>([&](auto half) TS_INLINE_LAMBDA { read(half), multiply(half); });
          if (Config::ahead == Ahead::nothing) load(tile + 1);
          replace();
        }
        static_for<2>([&](auto half) TS_INLINE_LAMBDA { read(half), multiply(half); });
        // [tiles]
      } else {
        // [fragments]
        auto const step = [&](bool more) TS_INLINE_LAMBDA {
          read(_1{});
          multiply(_0{});
          replace();
          read(_0{});  // of the next tile
          if (more) load(tile + 2);
          multiply(_1{});
        };
        if (k_tiles > 1) load(1);
        read(_0{});
        for (; tile + 2 < k_tiles; ++tile) step(true);
        for (; tile + 1 < k_tiles; ++tile) step(false);  // nothing is left to load
        read(_1{});
        multiply(_0{});
        multiply(_1{});
        // [fragments]
      }
    }
    axpby(p.alpha, rC, p.beta, tCgC, within(tCcC, mC.shape()));
  }
};

}  // namespace tilestep::prefetching
