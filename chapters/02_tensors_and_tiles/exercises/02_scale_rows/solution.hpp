#pragma once
// A solution. The numbers become a matrix by a stride of 0: tiles and partitions treat it as they treat the others.

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

  TS_DEVICE void operator()(Shared&, ScaleParams const& p) const {
    auto const shape = make_shape(p.M, p.N);
    auto mIn    = make_tensor(global(p.in), shape, make_stride(p.N, _1{}));              // (M,N)
    auto mScale = make_tensor(global(p.scale), shape, make_stride(_1{}, _0{}));          // (M,N)
    auto mOut   = make_tensor(global(p.out), shape, make_stride(p.N, _1{}));             // (M,N)

    auto const part = [&](auto const& tensor) {
      auto const tile = local_tile(tensor, make_tile(_16{}, _64{}), idx2crd(block_index(), grid(p)));
      return local_partition(tile, make_layout(make_shape(_2{}, _64{}), LayoutRight{}), thread_index());
    };
    auto tIn    = part(mIn);                                                             // (8,1)
    auto tScale = part(mScale);                                                          // (8,1)
    auto tOut   = part(mOut);                                                            // (8,1)
    for (int i = 0; i < size(tOut); ++i) tOut(i) = float(tScale(i)) * float(tIn(i));
  }
};

}  // namespace tilestep
