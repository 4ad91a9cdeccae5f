#pragma once
// The part of a tensor that one block works on. A tensor is divided into tiles; the coordinate of a tile picks one, and
// `_` in that coordinate keeps a whole row of tiles as an extra mode. Tiles at a ragged edge have full shape: what lies
// past the end of the tensor is for predicates to mask.

#include <tilestep/tensor/tensor.hpp>  // Tensor, zipped_divide

namespace tilestep {

/// Divide by `tiler`, keep one tile whole and choose it by `coord`: the modes of the tile come first.
template <class TensorT, class Tiler, class Coord>
TS_HOST_DEVICE constexpr auto inner_partition(TensorT const& tensor, Tiler const& tiler, Coord const& coord) {
  auto const tiles = zipped_divide(tensor, tiler);                   // ((tile), (rest))
  auto const whole = repeat<rank_v<decltype(shape<0>(tiles))>>(_);
  if constexpr (is_tuple_v<Coord>) {
    return tiles(whole, append<rank_v<decltype(shape<1>(tiles))>>(coord, _));
  } else {
    return tiles(whole, coord);
  }
}

/// Divide by `tiler` and choose one element of every tile by `coord`: what is left is one element per tile.
template <class TensorT, class Tiler, class Coord>
TS_HOST_DEVICE constexpr auto outer_partition(TensorT const& tensor, Tiler const& tiler, Coord const& coord) {
  auto const tiles = zipped_divide(tensor, tiler);                   // ((tile), (rest))
  auto const whole = repeat<rank_v<decltype(shape<1>(tiles))>>(_);
  if constexpr (is_tuple_v<Coord>) {
    return tiles(append<rank_v<decltype(shape<0>(tiles))>>(coord, _), whole);
  } else {
    return tiles(coord, whole);
  }
}

/// The tile of shape `tiler` at tile coordinate `coord`.
/// @param tensor (M,K), or a layout
/// @param tiler  (BLK_M,BLK_K)
/// @param coord  (m,k) -> (BLK_M,BLK_K); (m,_) -> (BLK_M,BLK_K,k)
template <class TensorT, class Tiler, class Coord>
TS_HOST_DEVICE constexpr auto local_tile(TensorT const& tensor, Tiler const& tiler, Coord const& coord) {
  return inner_partition(tensor, tiler, coord);
}

/// As local_tile for a tensor that has only some modes of the tiler: `proj` has `_` (or X) at the modes it lacks.
/// @param tiler (BLK_M,BLK_N,BLK_K)   @param proj Step<_1, X, _1>{} for A (M,K)
template <class TensorT, class Tiler, class Coord, class Proj>
TS_HOST_DEVICE constexpr auto local_tile(TensorT const& tensor, Tiler const& tiler, Coord const& coord,
                                         Proj const& proj) {
  return local_tile(tensor, dice(proj, tiler), dice(proj, coord));
}

/// Marks a mode that a projection drops.
using X = Underscore;

}  // namespace tilestep
