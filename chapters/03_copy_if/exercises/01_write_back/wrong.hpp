#pragma once
// Wrong answers to the exercise, one at a time.
// 1. Only the window is asked, as in the stub. Says: (4,0) is 11 and should be -121: the window does not reach it
// 2. Only the result is asked. Says: block 1, thread 0 reads in(12,0), element 204
// 3. The result is asked about the window's coordinates, which did not move. Says: (0,0) is -1
// and should be 421
// 4. The result is asked about its end only, as if an origin were never negative. Says: thread 0 writes
// out(-5,25)

#include "kernel.hpp"  // MatrixView, is_inside

#include <tilestep/harness/wrong_answer.hpp>  // wrong_answer

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
    auto cOut = domain_offset(p.origin, make_identity_tensor(shape(mOut)));   // (M,N) -> (r,c)

    // Find this block's tile and this thread's part of it.
    auto const part = [&](auto const& tensor) {
      auto const tile = local_tile(tensor, make_tile(_8{}, _16{}), idx2crd(block_index(), grid(p)));
      return local_partition(tile, make_layout(make_shape(_4{}, _16{}), LayoutRight{}), thread_index());
    };
    auto tIn  = part(mIn);                                                    // (2,1)
    auto tOut = part(wOut);                                                   // (2,1)
    auto tcIn = part(cIn);                                                    // (2,1) -> (m,n)
    auto tcOut = part(cOut);                                                  // (2,1) -> (r,c)

    auto rIn = make_fragment_like<float>(tIn);                                // (2,1)
    auto in_window = [&](auto i) { return is_inside(tcIn(i), shape(mIn)); };
    auto in_result = [&](auto i) {
      if (wrong_answer(1)) return true;
      if (wrong_answer(3)) return is_inside(tcIn(i), shape(mOut));
      if (wrong_answer(4)) return elem_less(tcOut(i), shape(mOut));
      return is_inside(tcOut(i), shape(mOut));
    };
    copy_if([&](auto i) { return wrong_answer(2) || in_window(i); }, tIn, rIn);
    copy_if([&](auto i) { return (wrong_answer(2) || in_window(i)) && in_result(i); }, rIn, tOut);
  }
};

}  // namespace tilestep
