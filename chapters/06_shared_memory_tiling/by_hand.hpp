#pragma once
// A block's tile of C with every step written out: the threads copy elements into shared memory in a loop, wait for
// each other, and multiply what they find there.

#include <tilestep/algorithm.hpp>            // clear, gemm, axpby
#include <tilestep/atom/fragment.hpp>        // make_fragment_like
#include <tilestep/block/coord.hpp>          // block_coord
#include <tilestep/block/gemm_params.hpp>    // GemmParams

namespace tilestep::shared_memory_tiling {

/// f32 by FMA: 16 x 16 threads on 128 x 128 of C, each with 8 x 8 sums. K is one tile of 8.
struct ByHandGemm {
  using Params = GemmParams<float, float, float, float>;
  using BlkM = _128;
  using BlkN = _128;
  using BlkK = _8;
  static constexpr char const* name = "ByHandGemm";
  static constexpr int threads = 256;

  // [shared]
  /// What the threads of a block share: a tile of A and a tile of B.
  struct Shared {
    SharedArray<float, 128 * 8> a;
    SharedArray<float, 128 * 8> b;
  };
  // [shared]

  TS_HOST_DEVICE static auto grid(Params const& p) {
    auto const [M, N, L] = p.layout_c.shape();
    return make_shape(ceil_div(M, BlkM{}), ceil_div(N, BlkN{}), L);
  }

  TS_DEVICE void operator()(Shared& memory, Params const& p) const {
    auto const [tile_m, tile_n, l] = block_coord(grid(p));
    auto mA = make_tensor(global(p.a), p.layout_a)(_, _, l);                            // (M,K)
    auto mB = make_tensor(global(p.b), p.layout_b)(_, _, l);                            // (N,K)
    auto mC = make_tensor(global(p.c), p.layout_c)(_, _, l);                            // (M,N)

    // [tiles]
    // The tiles of this block, in global memory and in shared memory. All of K is one tile.
    auto gA = local_tile(mA, Tile<BlkM, BlkK>{}, make_coord(tile_m, 0));                // (BLK_M,BLK_K)
    auto gB = local_tile(mB, Tile<BlkN, BlkK>{}, make_coord(tile_n, 0));                // (BLK_N,BLK_K)
    auto gC = local_tile(mC, Tile<BlkM, BlkN>{}, make_coord(tile_m, tile_n));           // (BLK_M,BLK_N)
    auto sA = make_tensor(shared(memory.a, "sA"), Layout<Shape<BlkM, BlkK>, Stride<BlkK, _1>>{});  // (BLK_M,BLK_K)
    auto sB = make_tensor(shared(memory.b, "sB"), Layout<Shape<BlkN, BlkK>, Stride<BlkK, _1>>{});  // (BLK_N,BLK_K)
    // [tiles]

    // [copy]
    // Copy both tiles: 256 threads take 256 neighbouring elements, then the next 256.
    int const thread = thread_index();
    for (int i = thread; i < size(sA); i += threads) sA(i / 8, i % 8) = gA(i / 8, i % 8);
    for (int i = thread; i < size(sB); i += threads) sB(i / 8, i % 8) = gB(i / 8, i % 8);
    sync_threads();  // all threads wrote sA and sB before any reads them
    // [copy]

    // [multiply]
    // Multiply: this thread has rows m, m + 16, .. and columns n, n + 16, .. of the block's tile of C.
    int const m = thread / 16, n = thread % 16;
    auto tCgC = local_partition(gC, Layout<Shape<_16, _16>, Stride<_16, _1>>{}, thread);  // (8,8)
    auto rA = make_register_tensor<float>(make_shape(_8{}));                              // (8)
    auto rB = make_register_tensor<float>(make_shape(_8{}));                              // (8)
    auto rC = make_fragment_like(tCgC);                                                   // (8,8)
    clear(rC);
    for (int k = 0; k < BlkK{}; ++k) {
      static_for<8>([&](auto i) { rA(i) = sA(m + 16 * i, k), rB(i) = sB(n + 16 * i, k); });
      gemm(rA, rB, rC);                                                                   // (M) x (N) => (M,N)
    }
    axpby(p.alpha, rC, p.beta, tCgC);
    // [multiply]
  }
};

}  // namespace tilestep::shared_memory_tiling
