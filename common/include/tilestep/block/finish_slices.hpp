#pragma once
// The second pass where K is split, with an epilogue: each slice of K has left its sums in a workspace; here they are
// added, always in the same order, and pass through the epilogue like sums that never left their block. AddSlices of
// split_k.hpp does without: chapter 14 has the second pass before there are epilogues.

#include <tilestep/backend/cluster.hpp>  // begin_among_kernels, begin_after_kernels
#include <tilestep/block/coord.hpp>      // block_coord
#include <tilestep/block/epilogue.hpp>   // Epilogue, finish_vector

namespace tilestep {

/// @tparam E  an Epilogue   @tparam TSum  of the workspace: a type that TScale can be made of
template <class E, class Layout_, class TSum = typename E::TScale>
struct FinishSlicesParams {
  TSum const* sums;
  Layout_ layout_sums;  ///< (M,N,L slices), the slices of all batches after each other: (L,slices)
  E epilogue;
  alignas(4) bool early = false;  ///< where it overlaps: the next kernel may begin while it runs
};

/// C = epilogue(slice 0 + slice 1 + ..). @tparam VEC  elements of a row that a thread has: more than 1 where N is a
/// multiple of it and the epilogue's rows are wide   @tparam ALONG_M  C's columns are contiguous, not its rows
/// @tparam OVERLAPS  it is launched while the kernel that computes the slices runs, and waits for it on the device
template <class E, class Layout_, int VEC, bool ALONG_M = false, class TSum = typename E::TScale, bool OVERLAPS = false>
struct FinishSlices {
  using Params = FinishSlicesParams<E, Layout_, TSum>;
  using TScale = typename E::TScale;
  // A warp stores neighbours. Where they lie along M, 8 threads along N share the 32 bytes that one of them reads.
  using BlkM = Int<ALONG_M ? 32 : 4>;
  using BlkN = Int<ALONG_M ? 8 : 64 * VEC>;
  static constexpr char const* name = "FinishSlices";
  static constexpr char const* only_on = OVERLAPS ? "sm90" : nullptr;
  static constexpr bool overlaps = OVERLAPS;
  static constexpr int threads = 256;
  using Shared = NoShared;

  TS_HOST_DEVICE static auto grid(Params const& p) {
    auto const [M, N, L] = p.epilogue.layout_c.shape();
    return make_shape(ceil_div(M, BlkM{}), ceil_div(N, BlkN{}), L);
  }

  TS_DEVICE void operator()(Shared&, Params const& p) const {
    auto const [tile_m, tile_n, l] = block_coord(grid(p));
    auto const [M, N, L] = p.epilogue.layout_c.shape();
    std::int64_t const slices = get<2>(p.layout_sums.shape()) / L;
    int const thread_m = ALONG_M ? thread_index() % 32 : thread_index() / 64,
              thread_n = ALONG_M ? thread_index() / 32 : thread_index() % 64;
    std::int64_t const m = tile_m * BlkM{} + thread_m, n = tile_n * BlkN{} + thread_n * VEC;
    bool const inside = m < M && n < N;
    auto const mS = make_tensor(global(p.sums), p.layout_sums);                                 // (M,N,L slices)
    auto const c = detail::AnyMatrixRef<E>::of(p.epilogue.c, p.epilogue.narrow);
    detail::describe_c(p.epilogue);
    if constexpr (OVERLAPS) {  // all slices are there then
      if (p.early) begin_among_kernels();
      else begin_after_kernels();
    }

    // [add]
    // Read four slices at once, so that these loads overlap. Add them one after the other, in the
    // same order always.
    TScale sums[VEC]{};
    for (std::int64_t first = 0; first < slices; first += 4) {
      TSum part[4][VEC]{};
      unroll<4>([&](auto i) TS_INLINE_LAMBDA {
        load_if<VEC>(mS.data() + mS.layout()(make_coord(m, n, l + (first + i) * L)), part[i],
                     inside && first + i < slices);
      });
      unroll<4>([&](auto i) TS_INLINE_LAMBDA {
        unroll<VEC>([&](auto v) TS_INLINE_LAMBDA { sums[v] += TScale(part[i][v]); });
      });
    }
    detail::finish_vector<detail::AnyMatrixRef<E>, VEC, false>(p.epilogue, c, make_coord(m, n, l), sums, inside);
    // [add]
  }
};

}  // namespace tilestep
