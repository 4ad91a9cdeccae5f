#pragma once
// The exercise: one barrier for each tile, and no race. Change buffers, and where sA and sB lie, until the check
// passes. The barrier stays alone.

#include "kernel.hpp"  // KLoopGemm

namespace tilestep {

/// The chapter's kernel for whole tiles. @tparam Config  a GemmConfig
template <class Config>
struct MyGemm : k_loop::KLoopGemm<Config, float, float> {
  using Base = k_loop::KLoopGemm<Config, float, float>;
  using typename Base::BlkK;
  using typename Base::BlkM;
  using typename Base::BlkN;
  using typename Base::Mma;
  using typename Base::Params;
  static constexpr int buffers = 1;
  // of one buffer
  static constexpr int size_a = cosize_v<typename Config::SmemA>, size_b = cosize_v<typename Config::SmemB>;

  struct Shared {
    SharedArray<typename Mma::ValA, buffers * size_a> a;
    SharedArray<typename Mma::ValB, buffers * size_b> b;
  };

  TS_DEVICE void operator()(Shared& memory, Params const& p) const {
    auto const [tile_m, tile_n, l] = block_coord(Base::grid(p));
    // (BLK_M,BLK_K,k)
    auto gA = local_tile(make_tensor(global(p.a), Config::layout_a(p.layout_a))(_, _, l), Tile<BlkM, BlkK>{},
                         make_coord(tile_m, _));
    // (BLK_N,BLK_K,k)
    auto gB = local_tile(make_tensor(global(p.b), Config::layout_b(p.layout_b))(_, _, l), Tile<BlkN, BlkK>{},
                         make_coord(tile_n, _));
    // (BLK_M,BLK_N)
    auto gC = local_tile(make_tensor(global(p.c), p.layout_c)(_, _, l), Tile<BlkM, BlkN>{}, make_coord(tile_m, tile_n));
    auto const mma = Mma::slice(thread_index());
    auto rC = mma.partition_fragment_C(gC);                                             // (MMA,MMA_M,MMA_N)
    clear(rC);

    auto const k_tiles = uniform(int(size<2>(gA)));
    for (int tile = 0; tile < k_tiles; ++tile) {
      int const buffer = 0;
      auto sA = make_tensor(shared(memory.a, "sA") + buffer * size_a, typename Config::SmemA{});  // (BLK_M,BLK_K)
      auto sB = make_tensor(shared(memory.b, "sB") + buffer * size_b, typename Config::SmemB{});  // (BLK_N,BLK_K)
      blockwise_copy(typename Config::CopyA{}, thread_index(), gA(_, _, tile), sA);
      blockwise_copy(typename Config::CopyB{}, thread_index(), gB(_, _, tile), sB);
      sync_threads();  // all threads wrote sA and sB before any reads them
      blockwise_gemm(Mma{}, thread_index(), sA, sB, rC);
    }
    axpby(p.alpha, rC, p.beta, mma.partition_C(gC));
  }
};

}  // namespace tilestep
