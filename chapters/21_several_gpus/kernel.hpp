#pragma once
// Which rank holds what: matrices cut into tiles, and layouts that say it of each tile. The GEMM kernel is chapter
// 17's; what is new when several devices compute one product are these layouts.

#include <tilestep/layout.hpp>  // Layout, make_layout

#include <algorithm>  // std::clamp
#include <cstdint>    // std::int64_t
#include <numeric>    // std::lcm

namespace tilestep {

// [division]
/// The elements of one of `parts` equal parts of an extent: a multiple of 16, so that every part begins where vectors
/// may begin. The last parts may have fewer elements than that, or none.
constexpr std::int64_t part_size(std::int64_t extent, std::int64_t parts) {
  constexpr std::int64_t unit = 16;
  return (extent + parts * unit - 1) / (parts * unit) * unit;
}

/// (i, part) -> index: an extent divided, as logical_divide divides extent:1 by part_size:1.
constexpr auto division(std::int64_t extent, std::int64_t parts) {
  std::int64_t const size = part_size(extent, parts);
  return make_layout(make_shape(size, parts), make_stride(_1{}, size));
}

/// How many of a part's elements lie inside of the extent.
constexpr std::int64_t elements_of_part(std::int64_t extent, std::int64_t parts, std::int64_t part) {
  auto const divided = division(extent, parts);
  return std::clamp<std::int64_t>(extent - divided(0, part), 0, part_size(extent, parts));
}
// [division]

/// Which rank holds a tile: (tile along M or N, (tile, holder) along the other mode) -> rank.
using Holder = Layout<Shape<std::int64_t, Shape<std::int64_t, std::int64_t>>,
                      Stride<std::int64_t, Stride<std::int64_t, std::int64_t>>>;

constexpr Holder make_holder(std::int64_t tiles, std::int64_t stride, std::int64_t each, std::int64_t holders,
                             std::int64_t between) {
  return Holder(make_shape(tiles, make_shape(each, holders)),
                make_stride(stride, make_stride(std::int64_t{0}, between)));
}

/// Three ways to share the work of P ranks. gather: all-gather of A, then a product. scatter: a product of a slice of
/// K, then reduce-scatter of C. grid: SUMMA on p x q ranks.
enum class Scheme { gather, scatter, grid };

struct Holders {
  Holder a;  ///< (tile of M, tile of K) -> rank
  Holder b;  ///< (tile of N, tile of K) -> rank
  Holder c;  ///< (tile of M, tile of N) -> rank
};

// [holders]
/// Which rank holds what on p x q ranks; gather and scatter have p ranks and q = 1.
constexpr Holders holders(Scheme scheme, std::int64_t p, std::int64_t q) {
  std::int64_t const panels = std::lcm(p, q);  // tiles of K: every row and every column of the grid holds as many
  switch (scheme) {
    case Scheme::gather:
      return {make_holder(p, 1, 1, 1, 0),   // (P,(1,1)):(1,(0,0))      rows of A
              make_holder(p, 1, 1, 1, 0),   // (P,(1,1)):(1,(0,0))      columns of the product
              make_holder(1, 0, 1, p, 1)};  // (1,(1,P)):(0,(0,1))
    case Scheme::scatter:
      return {make_holder(1, 0, 1, p, 1),   // (1,(1,P)):(0,(0,1))      a slice of K
              make_holder(1, 0, 1, p, 1),   // (1,(1,P)):(0,(0,1))      the same slice
              make_holder(p, 1, 1, 1, 0)};  // (P,(1,1)):(1,(0,0))      rows of C
    case Scheme::grid: break;
  }
  return {make_holder(p, 1, panels / q, q, p),  // (p,(panels/q,q)):(1,(0,p))
          make_holder(q, p, panels / p, p, 1),  // (q,(panels/p,p)):(p,(0,1))
          make_holder(p, 1, 1, q, p)};          // (p,(1,q)):(1,(0,p))
}
// [holders]

}  // namespace tilestep
