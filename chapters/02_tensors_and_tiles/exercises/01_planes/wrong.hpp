#pragma once
// Wrong answers to the exercise, one at a time.
// 1. Pixels are read as if they were planes. Says: pixel (0,0), colour 1 is
// 2. Planes are written as if they were pixels. Says: pixel (0,0), colour 1 is
// 3. Neighbouring threads own a column, as in the stub. Says: the writes touch
// 4. The next plane is a row away. Says: race

#include <tilestep/algorithm.hpp>             // make_tensor, local_tile, local_partition, copy
#include <tilestep/harness/wrong_answer.hpp>  // wrong_answer

#include <cstdint>  // std::int64_t

namespace tilestep {

struct PlanesParams {
  float const* pixels;
  float* planes;
  std::int64_t rows;     // a multiple of 32
  std::int64_t columns;  // a multiple of 32
};

/// One tile of 32 x 32 pixels per block.
struct TakeApart {
  using Shared = NoShared;
  static constexpr char const* name = "TakeApart";
  static constexpr int threads = 128;

  TS_HOST_DEVICE static auto grid(PlanesParams const& p) {
    return make_shape(p.rows / Int<32>{}, p.columns / Int<32>{});
  }

  TS_DEVICE void operator()(Shared&, PlanesParams const& p) const {
    auto const M = p.rows, N = p.columns;
    auto const shape = make_shape(M, N, _3{});                                             // (M,N,colour)
    auto const pixels = make_stride(3 * N, std::int64_t(3), std::int64_t(1));
    auto const planes = make_stride(N, std::int64_t(1), wrong_answer(4) ? N : M * N);
    auto mIn  = make_tensor(global(p.pixels), shape, wrong_answer(1) ? planes : pixels);   // (M,N,colour)
    auto mOut = make_tensor(global(p.planes), shape, wrong_answer(2) ? pixels : planes);   // (M,N,colour)

    auto const tile = make_tile(_32{}, _32{}, _3{});
    auto const [tile_m, tile_n] = idx2crd(block_index(), grid(p));
    auto gIn  = local_tile(mIn, tile, make_coord(tile_m, tile_n, _0{}));                   // (BLK_M,BLK_N,colour)
    auto gOut = local_tile(mOut, tile, make_coord(tile_m, tile_n, _0{}));                  // (BLK_M,BLK_N,colour)
    auto const copy_by = [&](auto const& thr) {                                            // (THR_M,THR_N,1) -> thread
      copy(local_partition(gIn, thr, thread_index()), local_partition(gOut, thr, thread_index()));
    };
    if (wrong_answer(3)) copy_by(make_layout(make_shape(_32{}, _4{}, _1{})));
    else copy_by(make_layout(make_shape(_4{}, _32{}, _1{}), LayoutRight{}));
  }
};

}  // namespace tilestep
