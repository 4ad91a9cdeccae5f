#pragma once
// The whole GEMM where there is no matrix instruction. The tensors are those of kernel.hpp; the loop is another one,
// because here the multiply-adds themselves are what takes the time: of 100 instructions that a warp issues, 92
// multiply.

#include <tilestep/backend/opaque.hpp>       // opaque
#include <tilestep/block/carried_tile.hpp>   // tiles in flight
#include <tilestep/block/epilogue.hpp>       // Epilogue, finish_vector
#include <tilestep/block/fma_config.hpp>     // which thread has which sums
#include <tilestep/block/gemm_params.hpp>    // MatrixLayout
#include <tilestep/block/schedule.hpp>       // which tile, when

namespace tilestep::optimized_gemm {

/// What the kernel is given. Where K is split, C is the workspace: (M,N,(L,slices)).
struct FmaParams {
  float const* a;
  float const* b;
  MatrixLayout layout_a;  ///< (M,K,L)
  MatrixLayout layout_b;  ///< (N,K,L)
  Epilogue<float, float, MatrixLayout> epilogue;
  TileSchedule schedule;
};

/// @tparam Config  an FmaConfig
template <class Config>
struct FmaGemm {
  using Params = FmaParams;
  using BlkM = typename Config::BlkM;
  using BlkN = typename Config::BlkN;
  using BlkK = typename Config::BlkK;
  using SmemA = typename Config::SmemA;
  using SmemB = typename Config::SmemB;
  using CopyA = typename Config::CopyA;
  using CopyB = typename Config::CopyB;
  using Mma = typename Config::Mma;
  static constexpr char const* name = "FmaGemm";
  static constexpr int threads = Config::threads;
  static constexpr int resident_blocks = Config::resident_blocks;
  static_assert(Config::lanes_m * BlkN::value * Config::warps_m <= 2 * cosize_v<SmemB>,
                "FmaGemm: sums go where B's tiles lay");

  struct Shared {
    SharedArray<float, 2 * cosize_v<SmemA>> a;
    SharedArray<float, 2 * cosize_v<SmemB>> b;
  };

  TS_DEVICE void operator()(Shared& memory, Params const& p) const {
    auto const [tile_m, tile_n, l, slice] = uniform_tile(int(block_index()), p.schedule);
    auto mA = make_tensor(global(p.a), Config::layout_a(p.layout_a))(_, _, l);          // (M,K)
    auto mB = make_tensor(global(p.b), Config::layout_b(p.layout_b))(_, _, l);          // (N,K)

    // The tiles of this block, and where in the matrices their elements lie.
    auto const mk = make_coord(tile_m, _);
    auto const nk = make_coord(tile_n, _);
    auto gA = local_tile(mA, Tile<BlkM, BlkK>{}, mk);                                   // (BLK_M,BLK_K,k)
    auto gB = local_tile(mB, Tile<BlkN, BlkK>{}, nk);                                   // (BLK_N,BLK_K,k)
    auto cA = local_tile(make_identity_tensor(mA.shape()), Tile<BlkM, BlkK>{}, mk);     // (BLK_M,BLK_K,k) -> (m,k)
    auto cB = local_tile(make_identity_tensor(mB.shape()), Tile<BlkN, BlkK>{}, nk);     // (BLK_N,BLK_K,k) -> (n,k)
    auto cC = make_identity_tensor(Tile<BlkM, BlkN>{});  // (BLK_M,BLK_N) -> (m,n) in the tile
    auto sA = make_tensor(shared(memory.a, "sA"), SmemA{});  // (BLK_M,BLK_K), the first of two
    auto sB = make_tensor(shared(memory.b, "sB"), SmemB{});  // (BLK_N,BLK_K), the first of two

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
    auto tCsA = mma.partition_A(sA);                                                    // (MMA,MMA_M,BLK_K)
    auto tCsB = mma.partition_B(sB);                                                    // (MMA,MMA_N,BLK_K)
    auto rA = make_fragment_like<float>(tCsA(_, _, 0));                                 // (MMA,MMA_M)
    auto rB = make_fragment_like<float>(tCsB(_, _, 0));                                 // (MMA,MMA_N)
    auto rC = mma.partition_fragment_C(cC);                                             // (MMA,MMA_M,MMA_N)
    clear(rA);
    clear(rB);
    clear(rC);

    // [first]
    // K is walked backwards: the first tile may be ragged along K and asks for (m,k), the others ask for m alone.
    auto const k_first = slice * p.schedule.slice_k_tiles;                              // of this slice
    auto const k_end = min(k_first + p.schedule.slice_k_tiles, size<3>(tAgA));
    auto const k_tiles = uniform(int(k_end - k_first));  // none is left where slices outnumber tiles
    auto carried_a = carried_tile(CopyA{}, tAgA(_, _, _, 0));                           // of A, in flight
    auto carried_b = carried_tile(CopyB{}, tBgB(_, _, _, 0));                           // of B, in flight
    if (k_tiles > 0) {
      carried_a.fetch(within(tAcA(_, _, _, k_end - 1), mA.shape()), tAgA(_, _, _, k_end - 1));
      carried_b.fetch(within(tBcB(_, _, _, k_end - 1), mB.shape()), tBgB(_, _, _, k_end - 1));
    }
    // [first]

    // [loop]
    // Pointers advance by steps that stay in registers: an address computed anew for each tile would cost instructions
    // in every pass of the loop.
    auto const step_a = opaque(-std::int64_t(stride<3>(tAgA.layout())));                // to the next tile
    auto const step_b = opaque(-std::int64_t(stride<3>(tBgB.layout())));
    int other_a = cosize_v<SmemA>, other_b = cosize_v<SmemB>;                           // to the other of two places
    constexpr int line_a = stride<1>(SmemA{}), line_b = stride<1>(SmemB{});             // to the next k
    auto const advance = [](auto& tensor, int by)
                             TS_INLINE_LAMBDA { tensor = make_view(tensor.data() + by, tensor.layout()); };
    TS_NO_UNROLL
    for (int left = k_tiles; left > 0; --left) {
      carried_a.land(tAsA);
      carried_b.land(tBsB);
      // the tile is complete, and all threads have read the one before, in whose place the next one goes
      sync_shared();
      if (left > 1) {
        carried_a.fetch_next(rows_within(tAcA(_, _, _, 0), mA.shape()), step_a);
        carried_b.fetch_next(rows_within(tBcB(_, _, _, 0), mB.shape()), step_b);
      }
      // Multiply what was read in the step before, then read: in the first step of all, zeros are multiplied.
      TS_NO_UNROLL
      for (int k = 0; k < BlkK::value; k += Config::steps) {
        unroll<Config::steps>([&](auto step) TS_INLINE_LAMBDA {
          gemm(typename Mma::Atom{}, rA, rB, rC);
          copy(typename Config::Read{}, tCsA(_, _, step), rA);
          copy(typename Config::Read{}, tCsB(_, _, step), rB);
        });
        advance(tCsA, Config::steps * line_a);
        advance(tCsB, Config::steps * line_b);
      }
      advance(tAsA, other_a);
      advance(tBsB, other_b);
      advance(tCsA, other_a - BlkK::value * line_a);
      advance(tCsB, other_b - BlkK::value * line_b);
      other_a = -other_a;
      other_b = -other_b;
    }
    gemm(typename Mma::Atom{}, rA, rB, rC);
    // [loop]
    detail::describe_c(p.epilogue);
    finish(memory, p.epilogue, rC, mma.partition_C(cC),
           make_coord(tile_m * BlkM{}, tile_n * BlkN{}, slice * p.schedule.batches + l));
  }

  /// Stores the sums of C. @param rC (MMA,MMA_M,MMA_N)   @param tCcC the same -> (m,n) in the tile   @param first
  /// (m,n,l) of the tile
  template <class E, class TensorC, class CoordsC>
  TS_INLINE TS_DEVICE static void finish(Shared& memory, E const& e, TensorC const& rC, CoordsC const& tCcC,
                                         auto const& first) {
    using C = detail::MatrixRef<E, float>;
    constexpr int rows = decltype(size<1>(rC))::value, columns = decltype(size<2>(rC))::value, vec = Config::Vec;
    auto const [m_first, n_first, l] = first;
    auto const [M, N, L] = e.layout_c.shape();
    auto const c = C::of(e.c, e.narrow);
    auto const sum = [&](auto m, auto n) TS_INLINE_LAMBDA { return element(rC, make_coord(_0{}, m, n)); };
    // [finish]
    if (e.plain && e.wide && (N % vec == 0 || n_first + BlkN{} <= N)) {
      unroll<rows>([&](auto i) TS_INLINE_LAMBDA {
        unroll<columns / vec>([&](auto run) TS_INLINE_LAMBDA {  // neighbours along N
          float sums[vec];
          unroll<vec>([&](auto v) TS_INLINE_LAMBDA { sums[int(v)] = sum(i, run * Int<vec>{} + v); });
          auto const [m, n] = tCcC(make_coord(_0{}, i, run * Int<vec>{}));
          bool const inside = m_first + m < M && n_first + n < N;
          detail::finish_vector<C, vec, true>(e, c, make_coord(m_first + m, n_first + n, l), sums, inside);
        });
      });
      return;
    }
    // Row i of every lane, which is 8 rows of the warp or 2, goes through shared memory: what is computed there stands
    // in the code once. A lane has a column. (lanes_m,warp_n)
    constexpr int warp_m = Config::warp_m, warp_n = Config::warp_n, lanes_m = Config::lanes_m;
    auto sW = make_tensor(shared(memory.b, "sB") + warp_index() * lanes_m * warp_n,
                          composition(Swizzle<1, 4, detail::log2(warp_n) - 4>{},
                                      Layout<Shape<Int<lanes_m>, Int<warp_n>>, Stride<Int<warp_n>, _1>>{}));
    auto const [m_lane, n_lane] = tCcC(_0{});
    int const row = int(m_lane) / 4 % lanes_m, column = int(n_lane) % warp_n;           // of the lane in the slice
    auto const m_warp = m_first + m_lane / warp_m * warp_m, n_warp = n_first + n_lane / warp_n * warp_n;
    detail::EpiloguePlace const next{4 * stride<0>(e.layout_c), 4 * stride<0>(e.layout_residual),
                                     4 * stride<0>(e.layout_bias)};                     // row of the slice
    // It finishes rows of it together: all where C = alpha sums, else up to four.
    auto const column_of = [&](auto plain, auto m, auto n, int at) TS_INLINE_LAMBDA {
      constexpr int together = plain.value || lanes_m < 4 ? lanes_m : 4;
      auto place = detail::EpiloguePlace::of(e, make_coord(m, n, l));
      TS_NO_UNROLL
      for (int r = 0; r < lanes_m; r += together) {
        float sums[together][1];
        detail::Finish<C, 1, plain.value, E> elements[together];
        detail::EpiloguePlace places[together];
        auto const inside = [&](int j) TS_INLINE_LAMBDA { return n < N && m + (r + j) * 4 < M; };
        unroll<together>([&](auto j) TS_INLINE_LAMBDA {
          places[int(j)] = place;
          place = place + next;
          load<1>(sW.data() + sW.layout()(make_coord(r + int(j), at)), sums[int(j)]);
          elements[int(j)].read(e, c, places[int(j)], inside(j));
        });
        unroll<together>([&](auto j) TS_INLINE_LAMBDA {
          elements[int(j)].store(e, c, places[int(j)], sums[int(j)], inside(j));
        });
      }
    };
    sync_threads();  // all threads have read the operands, in whose place the sums go
    TS_NO_UNROLL
    for (int i = 0; i < rows; ++i) {
      unroll<rows>([&](auto mine) TS_INLINE_LAMBDA {  // registers have no index at run time
        if (i == int(mine)) unroll<columns / vec>([&](auto run) TS_INLINE_LAMBDA {
          float sums[vec];
          unroll<vec>([&](auto v) TS_INLINE_LAMBDA { sums[int(v)] = sum(mine, run * Int<vec>{} + v); });
          store<vec>(sW.data() + sW.layout()(make_coord(row, column + int(run) * vec * Config::lanes_n)), sums);
        });
      });
      sync_warp();  // the slice is complete
      TS_NO_UNROLL
      for (int at = lane_index(); at < warp_n; at += warp_size()) {
        auto const m = m_warp + i % 4 + i / 4 * (4 * lanes_m), n = n_warp + at;
        if (e.plain) column_of(true_type{}, m, n, at);
        else column_of(false_type{}, m, n, at);
      }
      sync_warp();  // all lanes have read it
    }
    // [finish]
  }
};

}  // namespace tilestep::optimized_gemm
