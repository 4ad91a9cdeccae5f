#pragma once
// A block's tile of C, whose parts of A and B lie in shared memory as the configuration arranges them: swizzled.

#include <tilestep/block.hpp>                // copy with an atom, blockwise_gemm
#include <tilestep/block/gemm_params.hpp>    // GemmParams

namespace tilestep::bank_conflicts {

/// @tparam Config  a GemmConfig: the tile, the instruction, which thread copies what
/// @tparam TOut stored type of C
/// @tparam TScale of alpha and beta
template <class Config, class TOut, class TScale>
struct SwizzledGemm {
  using Params = GemmParams<typename Config::In, typename Config::In, TOut, TScale>;
  using BlkM = typename Config::BlkM;
  using BlkN = typename Config::BlkN;
  using BlkK = typename Config::BlkK;
  using CopyA = typename Config::CopyA;
  using CopyB = typename Config::CopyB;
  using Mma = typename Config::Mma;
  static constexpr char const* name = Config::Vec > 1 ? "SwizzledGemm (vectors)" : "SwizzledGemm (scalars)";
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
    auto rC = mma.partition_fragment_C(gC);                                             // (MMA,MMA_M,MMA_N)
    clear(rC);

    // [loop]
    // Walk K backwards. Only the last tile may be ragged along K: it comes first and asks for (m,k), the others ask for
    // m alone, each time the same. Zeros outside of the matrices: a product with zero adds nothing.
    auto const k_tiles = uniform(int(size<3>(tAgA)));
    if (k_tiles > 0) {
      std::int64_t const k = k_tiles - 1;  // offsets along K have 64 bits
      copy_if(CopyA{}, within(tAcA(_, _, _, k), mA.shape()), tAgA(_, _, _, k), tAsA);
      copy_if(CopyB{}, within(tBcB(_, _, _, k), mB.shape()), tBgB(_, _, _, k), tBsB);
    }
    for (int tile = k_tiles - 1; tile >= 0; --tile) {
      sync_threads();  // all threads wrote sA and sB before any reads them
      blockwise_gemm(Mma{}, thread_index(), sA, sB, rC);
      sync_threads();  // all threads read sA and sB before any overwrites them
      if (tile == 0) break;
      std::int64_t const k = tile - 1;
      copy_if(CopyA{}, rows_within(tAcA(_, _, _, k), mA.shape()), tAgA(_, _, _, k), tAsA);
      copy_if(CopyB{}, rows_within(tBcB(_, _, _, k), mB.shape()), tBgB(_, _, _, k), tBsB);
    }
    // [loop]
    axpby(p.alpha, rC, p.beta, tCgC, within(tCcC, mC.shape()));
  }
};

}  // namespace tilestep::bank_conflicts
