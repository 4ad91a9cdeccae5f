#pragma once
// Copy a window of a matrix, which may lie anywhere: a predicate for each element says whether it exists. What does not
// exist is never read and never written; where the window leaves the source, the result gets the padding value.

#include <tilestep/algorithm.hpp>  // make_tensor, local_tile, local_partition, copy_if

#include <cstdint>  // std::int64_t

namespace tilestep {

/// (M,N) -> offset in elements. Extents and strides come from the command line, so they are run-time numbers.
using MatrixView = Layout<Shape<std::int64_t, std::int64_t>, Stride<std::int64_t, std::int64_t>>;

/// out(m,n) = in(origin + (m,n)) where the source has such an element, pad where it has none.
template <class T>
struct CopyIfParams {
  T const* in;
  T* out;
  MatrixView layout_in;                      // (R,C): the whole source
  MatrixView layout_out;                     // (M,N): the window
  Coord<std::int64_t, std::int64_t> origin;  // of the window in the source; may lie outside
  T pad;
};

// [is_inside]
/// Is there an element at this coordinate?
template <class Coord, class Shape>
TS_HOST_DEVICE constexpr bool is_inside(Coord const& c, Shape const& shape) {
  auto const before = repeat_like(c, _m1{});  // (-1,-1): the last coordinate in front of the first
  return elem_less(before, c) && elem_less(c, shape);
}
// [is_inside]

/// One BLK_M x BLK_N tile of the window per block, shared out among 8 x 32 threads. InBounds: the caller promises that
/// the window lies inside the source, so no read asks.
template <class T, bool InBounds, int BLK_M = 32, int BLK_N = 32>
struct WindowCopy {
  using Params = CopyIfParams<T>;
  using Shared = NoShared;
  static constexpr char const* name = "WindowCopy";
  static constexpr int threads = 256;
  static_assert(BLK_M % 8 == 0 && BLK_N % 32 == 0,
                "8 x 32 threads must divide the block tile: choose BLK_M and BLK_N as multiples");

  /// (tiles along M, tiles along N): the last ones may stick out.
  TS_HOST_DEVICE static auto grid(Params const& p) {
    auto const [M, N] = p.layout_out.shape();
    return make_shape(ceil_div(M, Int<BLK_M>{}), ceil_div(N, Int<BLK_N>{}));
  }

  TS_DEVICE void operator()(Shared&, Params const& p) const {
    auto mIn  = make_tensor(global(p.in), p.layout_in);        // (R,C)
    auto mOut = make_tensor(global(p.out), p.layout_out);      // (M,N)

    // [window]
    // Move the origin of the source to the window's. The coordinates of the elements move along.
    auto wIn  = domain_offset(p.origin, mIn);                               // (m,n) -> in(origin + (m,n))
    auto cIn  = domain_offset(p.origin, make_identity_tensor(shape(mIn)));  // (m,n) -> origin + (m,n)
    auto cOut = make_identity_tensor(shape(mOut));                          // (m,n) -> (m,n)
    // [window]

    // Find this block's tile in both matrices, and the coordinates of its elements.
    auto const tile = make_tile(Int<BLK_M>{}, Int<BLK_N>{});
    auto const tile_coord = idx2crd(block_index(), grid(p));   // (tile_m,tile_n)
    auto gIn   = local_tile(wIn, tile, tile_coord);            // (BLK_M,BLK_N)
    auto gOut  = local_tile(mOut, tile, tile_coord);           // (BLK_M,BLK_N)
    auto gcIn  = local_tile(cIn, tile, tile_coord);            // (BLK_M,BLK_N) -> (r,c)
    auto gcOut = local_tile(cOut, tile, tile_coord);           // (BLK_M,BLK_N) -> (m,n)

    // Find this thread's part of each.
    auto const thr = make_layout(make_shape(_8{}, _32{}), LayoutRight{});  // (THR_M,THR_N) -> thread
    auto tIn   = local_partition(gIn, thr, thread_index());    // (BLK_M/THR_M,BLK_N/THR_N)
    auto tOut  = local_partition(gOut, thr, thread_index());   // (BLK_M/THR_M,BLK_N/THR_N)
    auto tcIn  = local_partition(gcIn, thr, thread_index());   // (BLK_M/THR_M,BLK_N/THR_N) -> (r,c)
    auto tcOut = local_partition(gcOut, thr, thread_index());  // (BLK_M/THR_M,BLK_N/THR_N) -> (m,n)

    // [copy]
    // Ask of every element: is it wanted in the result, and does it exist in the source?
    auto wanted = [&](auto i) { return is_inside(tcOut(i), shape(mOut)); };
    auto exists = [&](auto i) { return wanted(i) && is_inside(tcIn(i), shape(mIn)); };

    auto rIn = make_fragment_like<T>(tIn);                     // (BLK_M/THR_M,BLK_N/THR_N)
    if constexpr (InBounds) {
      copy_if(wanted, tIn, rIn);
    } else {
      fill(rIn, p.pad);
      copy_if(exists, tIn, rIn);                               // what is not copied keeps the padding value
    }
    copy_if(wanted, rIn, tOut);
    // [copy]
  }
};

}  // namespace tilestep
