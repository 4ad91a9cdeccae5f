#pragma once
// Wrong answers to the exercise, one at a time.
// 1. Blocks above the diagonal multiply, too. Says: right, but multiply-adds: 73728, at most 49152
// 2. The diagonal is left out. Says: C(0,0) is -1234.5
// 3. The store does not know the diagonal. Says: above the diagonal
// 4. The blocks below the diagonal return. Says: C(32,0) is -1234.5

#include <tilestep/algorithm.hpp>             // copy_if, gemm, axpby
#include <tilestep/block/gemm_params.hpp>     // MatrixLayout
#include <tilestep/harness/wrong_answer.hpp>  // wrong_answer

namespace tilestep {

struct HalfParams {
  float const* a;
  float* c;
  MatrixLayout layout_a;  ///< (N,K,1)
  MatrixLayout layout_c;  ///< (N,N,1)
};

/// The lower triangle of C = A A^T, diagonal included. What lies above the diagonal is neither computed nor stored.
struct HalfTheWork {
  using Shared = NoShared;
  static constexpr char const* name = "HalfTheWork";
  static constexpr int threads = 64;
  using Blk = _32;
  using Thr = _8;

  TS_HOST_DEVICE static auto grid(HalfParams const& p) {
    auto const tiles = ceil_div(size<0>(p.layout_c), Blk{});
    return make_shape(tiles, tiles);
  }

  TS_DEVICE void operator()(Shared&, HalfParams const& p) const {
    auto mA = make_tensor(global(p.a), p.layout_a)(_, _, 0);                       // (N,K)
    auto mC = make_tensor(global(p.c), p.layout_c)(_, _, 0);                       // (N,N)
    auto const N = size<0>(mC), K = size<1>(mA);

    auto const [tile_m, tile_n] = idx2crd(block_index(), grid(p));
    if (wrong_answer(4) ? tile_n < tile_m : tile_n > tile_m && !wrong_answer(1)) return;

    auto gA = local_tile(mA, Tile<Blk>{}, make_coord(tile_m));                     // (BLK,K)
    auto gB = local_tile(mA, Tile<Blk>{}, make_coord(tile_n));  // (BLK,K): the other operand is A too
    auto gC = local_tile(mC, Tile<Blk, Blk>{}, make_coord(tile_m, tile_n));        // (BLK,BLK)
    // (BLK,BLK) -> (m,n)
    auto cC = local_tile(make_identity_tensor(make_shape(N, N)), Tile<Blk, Blk>{}, make_coord(tile_m, tile_n));

    auto const thr = make_layout(make_shape(Thr{}, Thr{}), LayoutRight{});         // (THR_M,THR_N) -> thread
    auto tA = local_partition(gA, thr, thread_index(), Step<_1, X>{});             // (m,K)
    auto tB = local_partition(gB, thr, thread_index(), Step<X, _1>{});             // (n,K)
    auto tC = local_partition(gC, thr, thread_index());                            // (m,n)
    auto tcC = local_partition(cC, thr, thread_index());                           // (m,n) -> (m,n) in C

    auto rA = make_register_tensor<float>(make_shape(size<0>(tA)));                // (m)
    auto rB = make_register_tensor<float>(make_shape(size<0>(tB)));                // (n)
    auto rC = make_fragment_like(tC);                                              // (m,n)
    clear(rA);
    clear(rB);
    clear(rC);
    for (std::int64_t k = 0; k < K; ++k) {
      copy_if([&](auto i) { return get<0>(tcC(i, _0{})) < N; }, tA(_, k), rA);
      copy_if([&](auto j) { return get<1>(tcC(_0{}, j)) < N; }, tB(_, k), rB);
      gemm(rA, rB, rC);                                                            // (M) x (N) => (M,N)
    }

    auto wanted = [&](auto c) {
      auto const at = tcC(c);                                                      // (m,n) in C
      auto const above = get<1>(at) - get<0>(at);                                  // the diagonal
      return elem_less(at, make_shape(N, N)) && (wrong_answer(3) || above < (wrong_answer(2) ? 0 : 1));
    };
    axpby(1.0f, rC, 0.0f, tC, wanted);
  }
};

}  // namespace tilestep
