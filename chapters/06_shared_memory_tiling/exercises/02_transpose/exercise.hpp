#pragma once
// The exercise: write a kernel that transposes a matrix through shared memory. In chapter 02 a transpose reads or
// writes a sector for each element. Here a block reads a tile of 32 x 32 along its rows, and writes it along its
// columns, so that every sector is read once and written once.

#include <tilestep/algorithm.hpp>    // make_tensor, local_tile, local_partition, copy
#include <tilestep/block/coord.hpp>  // block_coord

#include <cstdint>  // std::int64_t

namespace tilestep {

/// out(n,m) = in(m,n), both row by row: in[N m + n], out[M n + m]. M and N are multiples of 32.
struct TransposeParams {
  float const* in;
  float* out;
  std::int64_t M, N;
};

struct Transpose {
  static constexpr char const* name = "Transpose";
  static constexpr int threads = 256;

  /// A tile of `in`, element (m,n) at 32 m + n.
  struct Shared {
    SharedArray<float, 32 * 32> tile;
  };

  /// (tiles along M, tiles along N)
  TS_HOST_DEVICE static auto grid(TransposeParams const& p) { return make_shape(p.M / _32{}, p.N / _32{}); }

  TS_DEVICE void operator()(Shared&, TransposeParams const&) const {
    // Read the tile into shared memory, wait for all threads, write it.
  }
};

}  // namespace tilestep
