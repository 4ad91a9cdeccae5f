#pragma once
// Two GEMMs on FMAs alone. The first gives every thread one element of C. The second gives every thread a small tile of
// C that lives in its registers, so that each element of A and B, once read, is used several times.

#include <tilestep/algorithm.hpp>             // copy_if, gemm, axpby
#include <tilestep/block/gemm_params.hpp>     // GemmParams

namespace tilestep {

// [naive]
/// One element of C per thread; 16 x 16 threads cover a tile of C.
template <class T>
struct NaiveGemm {
  using Params = GemmParams<T, T, T, T>;
  using Shared = NoShared;
  static constexpr char const* name = "NaiveGemm";
  static constexpr int threads = 256;

  TS_HOST_DEVICE static auto grid(Params const& p) {
    auto const [M, N, L] = p.layout_c.shape();
    return make_shape(ceil_div(M, _16{}), ceil_div(N, _16{}), L);
  }

  TS_DEVICE void operator()(Shared&, Params const& p) const {
    auto mA = make_tensor(global(p.a), p.layout_a);                              // (M,K,L)
    auto mB = make_tensor(global(p.b), p.layout_b);                              // (N,K,L)
    auto mC = make_tensor(global(p.c), p.layout_c);                              // (M,N,L)

    // Find this thread's element of C.
    auto const [tile_m, tile_n, l] = idx2crd(block_index(), grid(p));
    auto const m = tile_m * 16 + thread_index() / 16;
    auto const n = tile_n * 16 + thread_index() % 16;
    if (m >= size<0>(mC) || n >= size<1>(mC)) return;

    // Row m of A times row n of B.
    T sum = 0;
    for (std::int64_t k = 0; k < size<1>(mA); ++k) {
      sum = fma(T(mA(m, k, l)), T(mB(n, k, l)), sum);
    }

    if (p.beta == T(0)) mC(m, n, l) = p.alpha * sum;
    else mC(m, n, l) = p.alpha * sum + p.beta * T(mC(m, n, l));
  }
};
// [naive]

// [register_tiled]
/// A tile of C per thread, in registers: THR_M x THR_N threads cover BLK_M x BLK_N of C, each with (BLK_M/THR_M) x
/// (BLK_N/THR_N) elements.
template <class T, int BLK_M = 64, int BLK_N = 64, int THR_M = 16, int THR_N = 16>
struct RegisterTiledGemm {
  using Params = GemmParams<T, T, T, T>;
  using Shared = NoShared;
  static constexpr char const* name = "RegisterTiledGemm";
  static constexpr int threads = THR_M * THR_N;
  static_assert(BLK_M % THR_M == 0 && BLK_N % THR_N == 0, "the threads must divide the block tile: widen the tile");

  /// (THR_M,THR_N) -> thread. Neighbouring threads own neighbouring columns.
  TS_HOST_DEVICE static constexpr auto threads_of_tile() {
    return make_layout(make_shape(Int<THR_M>{}, Int<THR_N>{}), LayoutRight{});
  }

  TS_HOST_DEVICE static auto grid(Params const& p) {
    auto const [M, N, L] = p.layout_c.shape();
    return make_shape(ceil_div(M, Int<BLK_M>{}), ceil_div(N, Int<BLK_N>{}), L);
  }

  TS_DEVICE void operator()(Shared&, Params const& p) const {
    auto mA = make_tensor(global(p.a), p.layout_a);                              // (M,K,L)
    auto mB = make_tensor(global(p.b), p.layout_b);                              // (N,K,L)
    auto mC = make_tensor(global(p.c), p.layout_c);                              // (M,N,L)
    auto const M = size<0>(mC), N = size<1>(mC), K = size<1>(mA);

    // This block's tiles, and the coordinates of C's.
    auto const [tile_m, tile_n, l] = idx2crd(block_index(), grid(p));
    auto const tile_mn = Tile<Int<BLK_M>, Int<BLK_N>>{};
    auto gA = local_tile(mA(_, _, l), Tile<Int<BLK_M>>{}, make_coord(tile_m));   // (BLK_M,K)
    auto gB = local_tile(mB(_, _, l), Tile<Int<BLK_N>>{}, make_coord(tile_n));   // (BLK_N,K)
    auto gC = local_tile(mC(_, _, l), tile_mn, make_coord(tile_m, tile_n));      // (BLK_M,BLK_N)
    // (BLK_M,BLK_N) -> (m,n)
    auto cC = local_tile(make_identity_tensor(make_shape(M, N)), tile_mn, make_coord(tile_m, tile_n));

    // This thread's part of each. A lacks the threads' N mode and B their M mode.
    auto const thr = threads_of_tile();                                          // (THR_M,THR_N) -> thread
    auto tA = local_partition(gA, thr, thread_index(), Step<_1, X>{});           // (m,K)
    auto tB = local_partition(gB, thr, thread_index(), Step<X, _1>{});           // (n,K)
    auto tC = local_partition(gC, thr, thread_index());                          // (m,n)
    auto tcC = local_partition(cC, thr, thread_index());                         // (m,n) -> (m,n) in C

    // Which rows of A and B exist. A row that does not is never read: its fragment keeps the zero written here.
    auto in_m = [&](auto i) { return get<0>(tcC(i, _0{})) < M; };
    auto in_n = [&](auto j) { return get<1>(tcC(_0{}, j)) < N; };
    auto rA = make_register_tensor<T>(make_shape(size<0>(tA)));                  // (m)
    auto rB = make_register_tensor<T>(make_shape(size<0>(tB)));                  // (n)
    auto rC = make_fragment_like(tC);                                            // (m,n)
    clear(rA);
    clear(rB);
    clear(rC);

    for (std::int64_t k = 0; k < K; ++k) {
      copy_if(in_m, tA(_, k), rA);
      copy_if(in_n, tB(_, k), rB);
      gemm(rA, rB, rC);                                                          // (M) x (N) => (M,N)
    }

    axpby(p.alpha, rC, p.beta, tC, [&](auto c) { return elem_less(tcC(c), make_shape(M, N)); });
  }
};
// [register_tiled]

}  // namespace tilestep
