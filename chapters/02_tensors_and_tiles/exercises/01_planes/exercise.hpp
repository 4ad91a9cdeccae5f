#pragma once
// The exercise: take a picture apart. In memory the three colours of a pixel lie side by side, pixel after pixel, row
// after row. Write three planes instead, one after the other: all red, all green, all blue.
//
//     planes(row, column, colour) = pixels(row, column, colour)
//
// The copy is written as in the chapter. Three lines are wrong: the layouts of the two tensors, and the threads,
// which walk down a column of the planes and so write 32 sectors where 4 would do. Change those three and nothing
// else.

#include <tilestep/algorithm.hpp>  // make_tensor, local_tile, local_partition, copy

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
    auto mIn  = make_tensor(global(p.pixels), make_layout(shape));                         // (M,N,colour)
    auto mOut = make_tensor(global(p.planes), make_layout(shape));                         // (M,N,colour)
    auto const thr = make_layout(make_shape(_32{}, _4{}, _1{}));                           // (THR_M,THR_N,1) -> thread

    auto const tile = make_tile(_32{}, _32{}, _3{});
    auto const [tile_m, tile_n] = idx2crd(block_index(), grid(p));
    auto gIn  = local_tile(mIn, tile, make_coord(tile_m, tile_n, _0{}));                   // (BLK_M,BLK_N,colour)
    auto gOut = local_tile(mOut, tile, make_coord(tile_m, tile_n, _0{}));                  // (BLK_M,BLK_N,colour)
    copy(local_partition(gIn, thr, thread_index()), local_partition(gOut, thr, thread_index()));
  }
};

}  // namespace tilestep
