#pragma once
// A block's tile of C: one thread copies whole tiles of A and B by TMA, into a ring of stages in shared memory. One
// mbarrier of a stage says when a tile has arrived, the other one when all warps have read it.

#include <tilestep/atom/tma.hpp>             // TmaCopy, copy by TMA
#include <tilestep/backend/mbarrier.hpp>     // mbarrier_wait, mbarrier_arrive
#include <tilestep/backend/order.hpp>        // issue_in_order
#include <tilestep/block.hpp>                // read_fragment_A
#include <tilestep/block/axpby_vectors.hpp>  // has_vectors, axpby of pairs
#include <tilestep/block/gemm_params.hpp>    // MatrixLayout

namespace tilestep {

/// What the kernel is given: tensor maps in the place of pointers to A and B.
template <class Config, class TOut, class TScale>
struct TmaParams {
  typename Config::TmaA tma_a;  ///< of A (M,K,L)
  typename Config::TmaB tma_b;  ///< of B (N,K,L)
  TOut* c;
  MatrixLayout layout_c;        ///< (M,N,L)
  int k;                        ///< the extent K
  TScale alpha, beta;
};

/// @tparam Config  a TmaRing: the tile, the instruction, which thread copies what, and the number of stages
/// @tparam TOut stored type of C
/// @tparam TScale of alpha and beta
template <class Config, class TOut, class TScale>
struct TmaGemm {
  using Params = TmaParams<Config, TOut, TScale>;
  using BlkM = typename Config::BlkM;
  using BlkN = typename Config::BlkN;
  using BlkK = typename Config::BlkK;
  using Mma = typename Config::Mma;
  using StepK = Int<16>;  // of one instruction
  static constexpr char const* name = "TmaGemm";
  static constexpr char const* only_on = "sm90";
  static constexpr int threads = Config::threads;
  static constexpr int stages = Config::stages, steps = BlkK::value / StepK::value;

  struct Shared {
    alignas(1024) SharedArray<typename Mma::ValA, stages * cosize_v<typename Config::SmemA>> a;
    alignas(1024) SharedArray<typename Mma::ValB, stages * cosize_v<typename Config::SmemB>> b;
    SharedArray<Mbarrier, stages> full, empty;
  };

  TS_HOST_DEVICE static auto grid(Params const& p) {
    auto const [M, N, L] = p.layout_c.shape();
    return make_shape(ceil_div(M, BlkM{}), ceil_div(N, BlkN{}), L);
  }

  /// A tile in steps along K. @param s (BLK,BLK_K) @return (BLK,STEP_K,step)
  template <class Tensor, class Blk>
  TS_DEVICE static auto in_steps(Tensor const& s, Blk) {
    return local_tile(s, Tile<Blk, StepK>{}, make_coord(_0{}, _));
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
    auto const stage_of = [](int tile) { return int(unsigned(tile) % unsigned(stages)); };
    auto const sA = [&](int tile) {                                                     // tile -> (BLK_M,BLK_K)
      return make_tensor(shared(memory.a, "sA") + stage_of(tile) * int(cosize_v<typename Config::SmemA>),
                         typename Config::SmemA{});
    };
    auto const sB = [&](int tile) {                                                     // tile -> (BLK_N,BLK_K)
      return make_tensor(shared(memory.b, "sB") + stage_of(tile) * int(cosize_v<typename Config::SmemB>),
                         typename Config::SmemB{});
    };
    // The parity of the phase of this stage's mbarriers that tile t ends.
    auto const parity_of = [](int tile) { return int(unsigned(tile) / unsigned(stages) % 2); };
    auto const full = shared(memory.full, "full"), empty = shared(memory.empty, "empty");
    // [places]

    // The boxes that one thread copies, and the sums that each thread holds.
    auto const mma = Mma::slice(thread_index());
    auto const copy_a = p.tma_a.slice();
    auto const copy_b = p.tma_b.slice();
    auto tAgA = copy_a.partition_S(gA);                                                 // (TMA,TMA_M,TMA_K,k)
    auto tBgB = copy_b.partition_S(gB);                                                 // (TMA,TMA_N,TMA_K,k)
    auto tCgC = mma.partition_C(gC);                                                    // (MMA,MMA_M,MMA_N)
    auto tCcC = mma.partition_C(cC);                                                    // (MMA,MMA_M,MMA_N) -> (m,n)
    auto rA = mma.partition_fragment_A(in_steps(sA(0), BlkM{}));                        // (MMA,MMA_M,MMA_K,step)
    auto rB = mma.partition_fragment_B(in_steps(sB(0), BlkN{}));                        // (MMA,MMA_N,MMA_K,step)
    auto rC = mma.partition_fragment_C(gC);                                             // (MMA,MMA_M,MMA_N)
    clear(rC);

    // [make]
    if (thread_index() == 0) {
      for (int stage = 0; stage < stages; ++stage) {
        mbarrier_init(full + stage, 1);                       // one thread arrives, and gives the number of bytes
        mbarrier_init(empty + stage, threads / warp_size());  // each warp arrives when it has read
      }
      fence_mbarrier_init();
    }
    sync_threads();  // one thread made the mbarriers before any uses them
    // [make]
    // [send]
    auto const k_tiles = int(size<3>(tAgA));
    auto const send = [&](int tile) TS_INLINE_LAMBDA {
      if (thread_index() != 0 || tile >= k_tiles) return;
      auto const landed = full + stage_of(tile);
      mbarrier_wait(empty + stage_of(tile), parity_of(tile) ^ 1);  // all warps have read the tile that was there
      mbarrier_arrive_expect(landed, Config::TmaA::tile_bytes + Config::TmaB::tile_bytes);
      copy(p.tma_a.with(landed), tAgA(_, _, _, tile), copy_a.partition_D(sA(tile)));
      copy(p.tma_b.with(landed), tBgB(_, _, _, tile), copy_b.partition_D(sB(tile)));
    };
    // [send]
    // [steps]
    // Read the fragments of a step along K, and multiply them. A compiler must not change the order of the two.
    auto const read = [&](int tile, auto step) TS_INLINE_LAMBDA {
      read_fragment_A<typename Config::ReadA>(Mma{}, thread_index(), in_steps(sA(tile), BlkM{})(_, _, step),
                                              rA(_, _, _, step));
      read_fragment_B<typename Config::ReadB>(Mma{}, thread_index(), in_steps(sB(tile), BlkN{})(_, _, step),
                                              rB(_, _, _, step));
      issue_in_order();
    };
    auto const multiply = [&](auto step) TS_INLINE_LAMBDA {
      gemm(typename Mma::Atom{}, rA(_, _, _, step), rB(_, _, _, step), rC);
      issue_in_order();
    };
    // [steps]
    // [loop]
    // Enter a tile, and issue the copies of a later one.
    auto const enter = [&](int tile) TS_INLINE_LAMBDA {
      send(tile + stages - 1);
      mbarrier_wait(full + stage_of(tile), parity_of(tile));  // the tile has landed
      sync_warp();  // lane 0 has issued its copies: ldmatrix needs all lanes
      read(tile, _0{});
    };
    for (int tile = 0; tile < stages - 1; ++tile) send(tile);
    if (k_tiles > 0) enter(0);
    for (int tile = 0; tile < k_tiles; ++tile) {
      static_for<steps - 1>([&](auto step) TS_INLINE_LAMBDA { read(tile, step + _1{}), multiply(step); });
      sync_warp();  // all lanes have read the tile
      if (lane_index() == 0) mbarrier_arrive(empty + stage_of(tile));
      if (tile + 1 < k_tiles) enter(tile + 1);
      multiply(Int<steps - 1>{});
    }
    // [loop]
    // [store]
    auto const inside = within(tCcC, mC.shape());
    if (has_vectors<2>(p.c, p.layout_c)) axpby<2>(p.alpha, rC, p.beta, tCgC, inside);  // a lane has pairs of a row
    else axpby(p.alpha, rC, p.beta, tCgC, inside);
    // [store]
  }
};

}  // namespace tilestep
