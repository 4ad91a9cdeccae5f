#pragma once
// The exercise: write a kernel from a blank. It multiplies each row of a matrix by a number of its own:
//
//     out(m,n) = scale[m] * in(m,n)
//
// A block has a tile of 16 x 64, as `grid` says, and 128 threads. All memory is read and written in the fewest sectors.

#include <tilestep/algorithm.hpp>  // make_tensor, local_tile, local_partition, copy

#include <cstdint>  // std::int64_t

namespace tilestep {

struct ScaleParams {
  float const* in;     // M x N, row by row
  float const* scale;  // M numbers
  float* out;          // M x N, row by row
  std::int64_t M;      // a multiple of 16
  std::int64_t N;      // a multiple of 64
};

struct ScaleRows {
  using Shared = NoShared;
  static constexpr char const* name = "ScaleRows";
  static constexpr int threads = 128;

  /// (tiles along M, tiles along N)
  TS_HOST_DEVICE static auto grid(ScaleParams const& p) { return make_shape(p.M / _16{}, p.N / _64{}); }

  TS_DEVICE void operator()(Shared&, ScaleParams const&) const {
    // Three tensors (M,N): in, out, and scale with a stride of 0 along N, so that scale(m,n) is scale[m] for every n.
    // A tile of each for this block, a part of each tile for this thread, and a loop over the elements of the part.
  }
};

}  // namespace tilestep
