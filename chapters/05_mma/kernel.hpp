#pragma once
// One warp's GEMM on matrix instructions. The warp owns a 32 x 32 tile of C; for each step along K it reads its
// fragments of A and B from global memory and multiplies them with one atom, whichever the target has.

#include <tilestep/algorithm.hpp>            // copy_if, gemm, axpby
#include <tilestep/block/gemm_params.hpp>    // GemmParams

namespace tilestep {

/// One instruction, by all threads of a warp.
using OneAtom = Layout<Shape<_1, _1, _1>>;

/// @tparam Atom        an MmaAtom: one instruction and its layouts
/// @tparam AtomLayout  how many of them side by side make one warp: one matrix instruction, or a warp's worth of FMAs
/// @tparam TIn         stored type of A and B   @tparam TOut  stored type of C
template <class Atom, class AtomLayout, class TIn, class TOut, class TScale>
struct WarpGemm {
  using Params = GemmParams<TIn, TIn, TOut, TScale>;
  using Shared = NoShared;
  using Mma = decltype(make_tiled_mma(Atom{}, AtomLayout{}));
  using BlkM = _32;
  using BlkN = _32;
  using BlkK = decltype(Mma::template tile_size<2>());
  static constexpr char const* name = "WarpGemm";
  static constexpr int threads = decltype(Mma::size())::value;

  TS_HOST_DEVICE static auto grid(Params const& p) {
    auto const [M, N, L] = p.layout_c.shape();
    return make_shape(ceil_div(M, BlkM{}), ceil_div(N, BlkN{}), L);
  }

  TS_DEVICE void operator()(Shared&, Params const& p) const {
    auto const [tile_m, tile_n, l] = idx2crd(block_index(), grid(p));
    auto mA = make_tensor(global(p.a), p.layout_a)(_, _, l);                            // (M,K)
    auto mB = make_tensor(global(p.b), p.layout_b)(_, _, l);                            // (N,K)
    auto mC = make_tensor(global(p.c), p.layout_c)(_, _, l);                            // (M,N)

    // The tiles of this warp, and where in the matrices their elements lie.
    auto const mk = make_coord(tile_m, _);
    auto const nk = make_coord(tile_n, _);
    auto const mn = make_coord(tile_m, tile_n);
    auto gA = local_tile(mA, Tile<BlkM, BlkK>{}, mk);                                   // (BLK_M,BLK_K,k)
    auto gB = local_tile(mB, Tile<BlkN, BlkK>{}, nk);                                   // (BLK_N,BLK_K,k)
    auto gC = local_tile(mC, Tile<BlkM, BlkN>{}, mn);                                   // (BLK_M,BLK_N)
    auto cA = local_tile(make_identity_tensor(mA.shape()), Tile<BlkM, BlkK>{}, mk);     // (BLK_M,BLK_K,k) -> (m,k)
    auto cB = local_tile(make_identity_tensor(mB.shape()), Tile<BlkN, BlkK>{}, nk);     // (BLK_N,BLK_K,k) -> (n,k)
    auto cC = local_tile(make_identity_tensor(mC.shape()), Tile<BlkM, BlkN>{}, mn);     // (BLK_M,BLK_N) -> (m,n)

    // [partition]
    // What this lane holds of each, as the instruction wants it.
    auto const mma = Mma::slice(thread_index());
    auto tA = mma.partition_A(gA);                                                      // (MMA,MMA_M,MMA_K,k)
    auto tB = mma.partition_B(gB);                                                      // (MMA,MMA_N,MMA_K,k)
    auto tC = mma.partition_C(gC);                                                      // (MMA,MMA_M,MMA_N)
    auto tcA = mma.partition_A(cA);                                                     // (MMA,MMA_M,MMA_K,k) -> (m,k)
    auto tcB = mma.partition_B(cB);                                                     // (MMA,MMA_N,MMA_K,k) -> (n,k)
    auto tcC = mma.partition_C(cC);                                                     // (MMA,MMA_M,MMA_N) -> (m,n)
    auto rA = make_fragment_like<typename Atom::ValA>(tA(_, _, _, 0));                  // (MMA,MMA_M,MMA_K)
    auto rB = make_fragment_like<typename Atom::ValB>(tB(_, _, _, 0));                  // (MMA,MMA_N,MMA_K)
    auto rC = make_fragment_like<typename Atom::ValC>(tC);                              // (MMA,MMA_M,MMA_N)
    clear(rC);

    for (std::int64_t k = 0; k < size<3>(tA); ++k) {
      // Outside A and B the fragments are zero: a product with zero adds nothing.
      clear(rA);
      clear(rB);
      copy_if([&](auto const& c) { return elem_less(tcA(_, _, _, k)(c), mA.shape()); }, tA(_, _, _, k), rA);
      copy_if([&](auto const& c) { return elem_less(tcB(_, _, _, k)(c), mB.shape()); }, tB(_, _, _, k), rB);
      gemm(Atom{}, rA, rB, rC);                                                         // (V,M,K) x (V,N,K) => (V,M,N)
    }
    axpby(p.alpha, rC, p.beta, tC, [&](auto const& c) { return elem_less(tcC(c), mC.shape()); });
    // [partition]
  }
};

}  // namespace tilestep
