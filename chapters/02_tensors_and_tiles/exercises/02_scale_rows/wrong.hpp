#pragma once
// Wrong answers to the exercise, one at a time.
// 1. The strides of the numbers are exchanged. Says: reads scale(0,32), element 32
// 2. Neighbouring threads own neighbours of a column. Says: sectors stored: 1024, at most 256
// 3. Every block has the first tile. Says: race
// 4. The partition of the numbers is forgotten: each thread takes those of the tile's first rows. Says: out(1,0) is

#include <tilestep/algorithm.hpp>             // make_tensor, local_tile, local_partition
#include <tilestep/harness/wrong_answer.hpp>  // wrong_answer

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
    auto const by_row = wrong_answer(1) ? make_stride(0, 1) : make_stride(1, 0);
    auto mScale = make_tensor(global(p.scale), shape, by_row);                           // (M,N)
    auto mOut   = make_tensor(global(p.out), shape, make_stride(p.N, _1{}));             // (M,N)

    auto const tile = make_tile(_16{}, _64{});
    auto const tile_coord = idx2crd(wrong_answer(3) ? 0 : block_index(), grid(p));       // (tile_m,tile_n)
    auto gIn    = local_tile(mIn, tile, tile_coord);                                     // (16,64)
    auto gScale = local_tile(mScale, tile, tile_coord);                                  // (16,64)
    auto gOut   = local_tile(mOut, tile, tile_coord);                                    // (16,64)
    auto const scale_by = [&](auto const& thr) {
      auto tIn    = local_partition(gIn, thr, thread_index());
      auto tScale = local_partition(gScale, thr, thread_index());
      auto tOut   = local_partition(gOut, thr, thread_index());
      for (int i = 0; i < size(tOut); ++i) {
        tOut(i) = float(wrong_answer(4) ? gScale(i, 0) : tScale(i)) * float(tIn(i));
      }
    };
    if (wrong_answer(2)) scale_by(make_layout(make_shape(_16{}, _8{})));
    else scale_by(make_layout(make_shape(_2{}, _64{}), LayoutRight{}));
  }
};

}  // namespace tilestep
