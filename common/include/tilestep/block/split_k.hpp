#pragma once
// The second pass where K is split: each slice of K has left its sums in a workspace, and here they are added. Always
// in the same order, so that equal inputs give equal bits. Blocks that add to C as they finish would add in another
// order in each run.

#include <tilestep/algorithm.hpp>    // axpby, clear
#include <tilestep/block/coord.hpp>  // block_coord
#include <tilestep/block/copy.hpp>   // within

namespace tilestep {

/// @tparam Layout_  of three modes, strides known at run time
template <class TSum, class TOut, class TScale, class Layout_>
struct AddSlicesParams {
  TSum const* sums;
  TOut* c;
  Layout_ layout_sums;  ///< (M,N,L slices), the slices of all batches after each other: (L,slices)
  Layout_ layout_c;     ///< (M,N,L)
  TScale alpha, beta;
};

/// C = alpha (sums of slice 0 + slice 1 + ..) + beta C.
/// @tparam TSum  of the sums   @tparam TOut  stored type of C   @tparam TScale  of alpha and beta
template <class TSum, class TOut, class TScale, class Layout_>
struct AddSlices {
  using Params = AddSlicesParams<TSum, TOut, TScale, Layout_>;
  using BlkM = _8;
  using BlkN = _64;
  using Threads = Layout<Shape<_4, _64>, Stride<_64, _1>>;  // neighbours along N
  static constexpr char const* name = "AddSlices";
  static constexpr int threads = 256;
  using Shared = NoShared;

  TS_HOST_DEVICE static auto grid(Params const& p) {
    auto const [M, N, L] = p.layout_c.shape();
    return make_shape(ceil_div(M, BlkM{}), ceil_div(N, BlkN{}), L);
  }

  TS_DEVICE void operator()(Shared&, Params const& p) const {
    auto const [tile_m, tile_n, l] = block_coord(grid(p));
    auto const L = get<2>(p.layout_c.shape());
    auto const slices = get<2>(p.layout_sums.shape()) / L;
    auto const mn = make_coord(tile_m, tile_n);
    auto mC = make_tensor(global(p.c), p.layout_c)(_, _, l);                                  // (M,N)
    auto mS = make_tensor(global(p.sums), p.layout_sums);                                     // (M,N,L slices)
    auto cC = local_tile(make_identity_tensor(mC.shape()), Tile<BlkM, BlkN>{}, mn);           // (BLK_M,BLK_N) -> (m,n)
    auto tCgC = local_partition(local_tile(mC, Tile<BlkM, BlkN>{}, mn), Threads{}, thread_index());  // (THR_M,THR_N)
    auto const inside = within(local_partition(cC, Threads{}, thread_index()), mC.shape());

    auto const part = [&](std::int64_t slice) TS_INLINE_LAMBDA {
      // (THR_M,THR_N)
      return local_partition(local_tile(mS(_, _, l + slice * L), Tile<BlkM, BlkN>{}, mn), Threads{}, thread_index());
    };

    // [add]
    // Read four slices at once, so that these loads overlap. Add them one after the other, in the
    // same order always.
    auto rC = make_fragment_like<TSum>(tCgC);                                                 // (THR_M,THR_N)
    clear(rC);
    for (std::int64_t first = 0; first < slices; first += 4) {
      decltype(rC) rS[4];
      unroll<4>([&](auto i) TS_INLINE_LAMBDA {
        clear(rS[i]);
        copy_if([&](auto const& c) { return first + i < slices && inside(c); }, part(first + i),
                rS[i]);
      });
      unroll<4>([&](auto i) TS_INLINE_LAMBDA { axpby(TSum(1), rS[i], TSum(1), rC); });
    }
    axpby(p.alpha, rC, p.beta, tCgC, inside);
    // [add]
  }
};

}  // namespace tilestep
