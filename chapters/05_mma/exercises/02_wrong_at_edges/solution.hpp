#pragma once
// The solution. No lane leaves before the instruction, which needs all of them; the fragments are cleared in each step,
// because copy_if leaves alone what it does not copy; and each operand is asked about its own extents.

#include <tilestep/algorithm.hpp>          // copy_if, gemm, axpby
#include <tilestep/block/gemm_params.hpp>  // MatrixLayout

namespace tilestep {

struct EdgeParams {
  half_t const* a;
  half_t const* b;
  float* c;
  MatrixLayout layout_a;  // (M,K,1)
  MatrixLayout layout_b;  // (N,K,1)
  MatrixLayout layout_c;  // (M,N,1)
};

/// C = A B, a 32 x 32 tile of C for each warp.
struct EdgeGemm {
  using Params = EdgeParams;
  using Shared = NoShared;
  using Atom = MmaAtom<SM80_16x8x16_F32F16F16F32_TN>;
  using Mma = decltype(make_tiled_mma(Atom{}));
  static constexpr char const* name = "EdgeGemm";
  static constexpr int threads = 32;

  TS_HOST_DEVICE static auto grid(Params const& p) {
    return make_shape(ceil_div(size<0>(p.layout_c), _32{}), ceil_div(size<1>(p.layout_c), _32{}));
  }

  TS_DEVICE void operator()(Shared&, Params const& p) const {
    auto const [tile_m, tile_n] = idx2crd(block_index(), grid(p));
    auto mA = make_tensor(global(p.a), p.layout_a)(_, _, 0);                            // (M,K)
    auto mB = make_tensor(global(p.b), p.layout_b)(_, _, 0);                            // (N,K)
    auto mC = make_tensor(global(p.c), p.layout_c)(_, _, 0);                            // (M,N)
    auto const mk = make_coord(tile_m, _);
    auto const nk = make_coord(tile_n, _);
    auto const mn = make_coord(tile_m, tile_n);
    auto gA = local_tile(mA, Tile<_32, _16>{}, mk);                                     // (BLK_M,BLK_K,k)
    auto gB = local_tile(mB, Tile<_32, _16>{}, nk);                                     // (BLK_N,BLK_K,k)
    auto gC = local_tile(mC, Tile<_32, _32>{}, mn);                                     // (BLK_M,BLK_N)
    auto cA = local_tile(make_identity_tensor(mA.shape()), Tile<_32, _16>{}, mk);       // (BLK_M,BLK_K,k) -> (m,k)
    auto cB = local_tile(make_identity_tensor(mB.shape()), Tile<_32, _16>{}, nk);       // (BLK_N,BLK_K,k) -> (n,k)
    auto cC = local_tile(make_identity_tensor(mC.shape()), Tile<_32, _32>{}, mn);       // (BLK_M,BLK_N) -> (m,n)

    auto const mma = Mma::slice(thread_index());
    auto tA = mma.partition_A(gA);                                                      // (MMA,MMA_M,MMA_K,k)
    auto tB = mma.partition_B(gB);                                                      // (MMA,MMA_N,MMA_K,k)
    auto tC = mma.partition_C(gC);                                                      // (MMA,MMA_M,MMA_N)
    auto tcA = mma.partition_A(cA);                                                     // (MMA,MMA_M,MMA_K,k) -> (m,k)
    auto tcB = mma.partition_B(cB);                                                     // (MMA,MMA_N,MMA_K,k) -> (n,k)
    auto tcC = mma.partition_C(cC);                                                     // (MMA,MMA_M,MMA_N) -> (m,n)
    auto rA = make_fragment_like(tA(_, _, _, 0));                                       // (MMA,MMA_M,MMA_K)
    auto rB = make_fragment_like(tB(_, _, _, 0));                                       // (MMA,MMA_N,MMA_K)
    auto rC = make_fragment_like<float>(tC);                                            // (MMA,MMA_M,MMA_N)
    clear(rC);
    for (std::int64_t k = 0; k < size<3>(tA); ++k) {
      clear(rA);
      clear(rB);
      copy_if([&](auto const& c) { return elem_less(tcA(_, _, _, k)(c), mA.shape()); }, tA(_, _, _, k), rA);
      copy_if([&](auto const& c) { return elem_less(tcB(_, _, _, k)(c), mB.shape()); }, tB(_, _, _, k), rB);
      gemm(Atom{}, rA, rB, rC);                                                         // (V,M,K) x (V,N,K) => (V,M,N)
    }
    axpby(1.0f, rC, 0.0f, tC, [&](auto const& c) { return elem_less(tcC(c), mC.shape()); });
  }
};

}  // namespace tilestep
