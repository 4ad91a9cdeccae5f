#pragma once
// The second pass where K is split, with an epilogue: each slice of K has left its sums in a workspace; here they are
// added, always in the same order, and go on as sums do that never left their block.

#include <tilestep/block/coord.hpp>     // block_coord
#include <tilestep/block/epilogue.hpp>  // Epilogue, finish_vector

namespace tilestep {

/// @tparam E  an Epilogue
template <class E, class Layout_>
struct FinishSlicesParams {
  typename E::TScale const* sums;
  Layout_ layout_sums;  ///< (M,N,L slices), the slices of all batches after each other: (L,slices)
  E epilogue;
};

/// C = epilogue(slice 0 + slice 1 + ..). @tparam VEC  elements of a row that a thread has: more than 1 where N is a
/// multiple and rows are wide
template <class E, class Layout_, int VEC>
struct FinishSlices {
  using Params = FinishSlicesParams<E, Layout_>;
  using TScale = typename E::TScale;
  using BlkM = _4;
  using BlkN = Int<64 * VEC>;
  static constexpr char const* name = "FinishSlices";
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
    std::int64_t const m = tile_m * BlkM{} + thread_index() / 64, n = tile_n * BlkN{} + thread_index() % 64 * VEC;
    bool const inside = m < M && n < N;
    auto const mS = make_tensor(global(p.sums), p.layout_sums);                                 // (M,N,L slices)
    auto const c = detail::AnyMatrixRef<E>::of(p.epilogue.c, p.epilogue.narrow);
    detail::describe_c(p.epilogue);

    // [add]
    // Read four slices at once, so that their elements are on the way together. Add them one after the other, in the
    // same order always.
    TScale sums[VEC]{};
    for (std::int64_t first = 0; first < slices; first += 4) {
      TScale part[4][VEC]{};
      unroll<4>([&](auto i) TS_INLINE_LAMBDA {
        load_if<VEC>(mS.data() + mS.layout()(make_coord(m, n, l + (first + i) * L)), part[i],
                     inside && first + i < slices);
      });
      unroll<4>([&](auto i) TS_INLINE_LAMBDA {
        unroll<VEC>([&](auto v) TS_INLINE_LAMBDA { sums[v] += part[i][v]; });
      });
    }
    detail::finish_vector<detail::AnyMatrixRef<E>, VEC, false>(p.epilogue, c, make_coord(m, n, l), sums, inside);
    // [add]
  }
};

}  // namespace tilestep
