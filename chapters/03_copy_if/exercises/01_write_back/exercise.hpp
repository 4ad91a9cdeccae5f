#pragma once
// The exercise: the chapter's kernel reads a window, this one writes it back. Something about its predicate is wrong:
// find out what.

#include "kernel.hpp"  // MatrixView, is_inside

namespace tilestep {

/// out(origin + (m,n)) = in(m,n) where the result has such an element. Every other element of the result keeps its
/// value.
struct WriteBackParams {
  float const* in;
  float* out;
  MatrixView layout_in;                      // (M,N): the window
  MatrixView layout_out;                     // (R,C): the whole result
  Coord<std::int64_t, std::int64_t> origin;  // of the window in the result; may lie outside
};

struct WriteBack {
  using Params = WriteBackParams;
  using Shared = NoShared;
  static constexpr char const* name = "WriteBack";
  static constexpr int threads = 64;

  /// One block for each 8 x 16 tile of the window.
  TS_HOST_DEVICE static auto grid(Params const& p) {
    auto const [M, N] = p.layout_in.shape();
    return make_shape(ceil_div(M, _8{}), ceil_div(N, _16{}));
  }

  TS_DEVICE void operator()(Shared&, Params const& p) const {
    auto mIn  = make_tensor(global(p.in), p.layout_in);                       // (M,N)
    auto mOut = make_tensor(global(p.out), p.layout_out);                     // (R,C)
    auto wOut = domain_offset(p.origin, mOut);                                // (M,N)
    auto cIn  = make_identity_tensor(shape(mIn));                             // (M,N) -> (m,n)

    // Find this block's tile and this thread's part of it.
    auto const part = [&](auto const& tensor) {
      auto const tile = local_tile(tensor, make_tile(_8{}, _16{}), idx2crd(block_index(), grid(p)));
      return local_partition(tile, make_layout(make_shape(_4{}, _16{}), LayoutRight{}), thread_index());
    };
    auto tIn  = part(mIn);                                                    // (2,1)
    auto tOut = part(wOut);                                                   // (2,1)
    auto tcIn = part(cIn);                                                    // (2,1) -> (m,n)

    auto rIn = make_fragment_like<float>(tIn);                                // (2,1)
    copy_if([&](auto i) { return is_inside(tcIn(i), shape(mIn)); }, tIn, rIn);
    copy_if([&](auto i) { return is_inside(tcIn(i), shape(mIn)); }, rIn, tOut);
  }
};

}  // namespace tilestep
