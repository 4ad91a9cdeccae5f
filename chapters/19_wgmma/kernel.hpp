#pragma once
// A block's tile of C: one thread copies whole tiles of A and B by TMA, and two warpgroups multiply them by wgmma where
// they are, in shared memory.

#include <tilestep/algorithm/axpby.hpp>      // axpby
#include <tilestep/algorithm/gemm.hpp>       // gemm
#include <tilestep/atom/tma.hpp>             // TmaCopy, copy by TMA
#include <tilestep/atom/wgmma.hpp>           // fragments of descriptors
#include <tilestep/backend/cluster.hpp>      // warpgroup_index
#include <tilestep/backend/mbarrier.hpp>     // mbarrier_wait, mbarrier_arrive
#include <tilestep/block.hpp>                // block_coord
#include <tilestep/block/axpby_vectors.hpp>  // has_vectors, axpby of pairs
#include <tilestep/block/gemm_params.hpp>    // MatrixLayout

namespace tilestep {

/// What the kernel is given: tensor maps in the place of pointers to A and B.
template <class Config, class TOut, class TScale>
struct WgmmaParams {
  typename Config::TmaA tma_a;  ///< of A (M,K,L)
  typename Config::TmaB tma_b;  ///< of B (N,K,L)
  TOut* c;
  MatrixLayout layout_c;        ///< (M,N,L)
  int k;                        ///< the extent K
  TScale alpha, beta;
};

/// @tparam Config  a WgmmaRing: the tile, the instruction, the copies, and the number of stages
/// @tparam TOut stored type of C
/// @tparam TScale of alpha and beta
template <class Config, class TOut, class TScale>
struct WgmmaGemm {
  using Params = WgmmaParams<Config, TOut, TScale>;
  using BlkM = typename Config::BlkM;
  using BlkN = typename Config::BlkN;
  using BlkK = typename Config::BlkK;
  using Mma = typename Config::Mma;
  static constexpr char const* name = "WgmmaGemm";
  static constexpr char const* only_on = "sm90";
  static constexpr int threads = Config::threads;
  static constexpr int stages = Config::stages;

  struct Shared {
    alignas(1024) SharedArray<typename Mma::ValA, cosize_v<typename Config::SmemA>> a;
    alignas(1024) SharedArray<typename Mma::ValB, cosize_v<typename Config::SmemB>> b;
    SharedArray<Mbarrier, stages> full, empty;
  };

  TS_HOST_DEVICE static auto grid(Params const& p) {
    auto const [M, N, L] = p.layout_c.shape();
    return make_shape(ceil_div(M, BlkM{}), ceil_div(N, BlkN{}), L);
  }

  TS_DEVICE void operator()(Shared& memory, Params const& p) const {
    auto const [tile_m, tile_n, l] = block_coord(grid(p));
    auto const [M, N, L] = p.layout_c.shape();
    // TMA computes addresses. Its tensors of A and B hold coordinates.
    auto mA = p.tma_a.get_tma_tensor(make_shape(int(M), p.k, int(L)));                  // (M,K,L) -> coordinate
    auto mB = p.tma_b.get_tma_tensor(make_shape(int(N), p.k, int(L)));                  // (N,K,L) -> coordinate
    auto mC = make_tensor(global(p.c), p.layout_c)(_, _, l);                            // (M,N)

    // The tiles of this block.
    auto gA = local_tile(mA, Tile<BlkM, BlkK>{}, make_coord(int(tile_m), _, int(l)));   // (BLK_M,BLK_K,k)
    auto gB = local_tile(mB, Tile<BlkN, BlkK>{}, make_coord(int(tile_n), _, int(l)));   // (BLK_N,BLK_K,k)
    auto const mn = make_coord(tile_m, tile_n);
    auto gC = local_tile(mC, Tile<BlkM, BlkN>{}, mn);                                   // (BLK_M,BLK_N)
    auto cC = local_tile(make_identity_tensor(mC.shape()), Tile<BlkM, BlkN>{}, mn);     // (BLK_M,BLK_N) -> (m,n)
    // [places]
    // The places of a tile in shared memory: tile t takes the one that tile t - stages had.
    auto sA = make_tensor(shared(memory.a, "sA"), typename Config::SmemA{});            // (BLK_M,BLK_K,PIPE)
    auto sB = make_tensor(shared(memory.b, "sB"), typename Config::SmemB{});            // (BLK_N,BLK_K,PIPE)
    auto const stage_of = [](int tile) { return int(unsigned(tile) % unsigned(stages)); };
    // The parity of the phase of this stage's mbarriers that tile t ends.
    auto const parity_of = [](int tile) { return int(unsigned(tile) / unsigned(stages) % 2); };
    auto const full = shared(memory.full, "full"), empty = shared(memory.empty, "empty");
    // [places]

    // The boxes that one thread copies, and the sums that each thread holds.
    auto const mma = Mma::slice(thread_index());
    auto const copy_a = p.tma_a.slice();
    auto const copy_b = p.tma_b.slice();
    auto tAgA = copy_a.partition_S(gA);                                                 // (TMA,TMA_M,TMA_K,k)
    auto tAsA = copy_a.partition_D(sA);                                                 // (TMA,TMA_M,TMA_K,PIPE)
    auto tBgB = copy_b.partition_S(gB);                                                 // (TMA,TMA_N,TMA_K,k)
    auto tBsB = copy_b.partition_D(sB);                                                 // (TMA,TMA_N,TMA_K,PIPE)
    auto tCgC = mma.partition_C(gC);                                                    // (MMA,MMA_M,MMA_N)
    auto tCcC = mma.partition_C(cC);                                                    // (MMA,MMA_M,MMA_N) -> (m,n)
    // [fragments]
    // Descriptors of the warpgroup's rows of A and of B, and its sums.
    auto const group = Mma::slice(warpgroup_index() * warpgroup_size);
    auto dA = group.partition_fragment_A(sA);                                           // (1,MMA_M,MMA_K,PIPE)
    auto dB = group.partition_fragment_B(sB);                                           // (1,MMA_N,MMA_K,PIPE)
    auto rC = mma.partition_fragment_C(gC);                                             // (MMA,MMA_M,MMA_N)
    clear(rC);
    // [fragments]

    if (thread_index() == 0) {
      for (int stage = 0; stage < stages; ++stage) {
        mbarrier_init(full + stage, 1);  // one thread arrives, and gives the number of bytes
        mbarrier_init(empty + stage, threads / warpgroup_size);  // each warpgroup arrives after its products
      }
      fence_mbarrier_init();
    }
    sync_threads();  // one thread made the mbarriers before any uses them
    auto const k_tiles = int(size<3>(tAgA));
    auto const send = [&](int tile) TS_INLINE_LAMBDA {
      if (thread_index() != 0 || tile >= k_tiles) return;
      auto const landed = full + stage_of(tile);
      mbarrier_wait(empty + stage_of(tile), parity_of(tile) ^ 1);  // the products that read this stage are complete
      mbarrier_arrive_expect(landed, Config::TmaA::tile_bytes + Config::TmaB::tile_bytes);
      copy(p.tma_a.with(landed), tAgA(_, _, _, tile), tAsA(_, _, _, stage_of(tile)));
      copy(p.tma_b.with(landed), tBgB(_, _, _, tile), tBsB(_, _, _, stage_of(tile)));
    };
    // [loop]
    for (int tile = 0; tile < stages - 1; ++tile) send(tile);
    for (int tile = 0; tile < k_tiles; ++tile) {
      mbarrier_wait(full + stage_of(tile), parity_of(tile));  // the tile has landed
      sync_warp();  // lane 0 has issued its copies: wgmma needs all lanes
      wgmma_fence();  // rC is as this warpgroup left it: the products may use it
      auto const a = dA(_, _, _, stage_of(tile));  // (1,MMA_M,MMA_K)
      auto const b = dB(_, _, _, stage_of(tile));  // (1,MMA_N,MMA_K)
      static_for<decltype(size<2>(dA))::value>(
          [&](auto k) TS_INLINE_LAMBDA { gemm(typename Mma::Atom{}, a(_, _, k), b(_, _, k), rC); });
      wgmma_commit();
      wgmma_wait<1>();  // the products of the tile before are complete, those of this one may be in flight
      if (tile > 0 && thread_index() % warpgroup_size == 0) mbarrier_arrive(empty + stage_of(tile - 1));
      send(tile + stages - 1);
    }
    wgmma_wait<0>();  // rC is complete
    // [loop]
    // [store]
    auto const inside = within(tCcC, mC.shape());
    if (has_vectors<2>(p.c, p.layout_c)) axpby<2>(p.alpha, rC, p.beta, tCgC, inside);  // a lane has pairs of a row
    else axpby(p.alpha, rC, p.beta, tCgC, inside);
    // [store]
  }
};

}  // namespace tilestep
