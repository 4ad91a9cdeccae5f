#pragma once
// Matrices as TMA sees them. It moves boxes of what it can address: one mode contiguous, and every other stride a
// multiple of 16 bytes. Extents may be anything: what lies outside comes as zeros, and is never written.

#include <tilestep/atom/tma.hpp>      // TmaCopy, make_tma_copy
#include <tilestep/block/operand_tiles.hpp>  // OperandTiles
#include <tilestep/harness/types.hpp>  // Strides

#include <algorithm>  // std::max
#include <climits>    // INT_MAX
#include <cstdint>    // std::int64_t

namespace tilestep {

// [reads]
/// Can TMA address a matrix (row,col,batch) whose rows, or columns, are contiguous?
/// @param bytes  of an element
inline bool tma_takes(void const* data, Strides const& s, std::int64_t rows, std::int64_t cols, std::int64_t batch,
                      int bytes, bool along_rows) {
  auto const is_multiple = [&](std::int64_t stride, std::int64_t extent) {
    return extent <= 1 || (stride > 0 && stride * bytes % 16 == 0);
  };
  std::int64_t const contiguous = along_rows ? s.col : s.row, line = along_rows ? s.row : s.col,
                     lines = along_rows ? rows : cols;
  return (contiguous == 1 || (along_rows ? cols : rows) <= 1) && is_multiple(line, lines) &&
         is_multiple(s.batch, batch) && reinterpret_cast<std::uintptr_t>(data) % 16 == 0;
}
// [reads]

// [maps]
/// A matrix (x,y,batch) in global memory, for TMA. @tparam Copy  a TmaCopy: the tile, and how many blocks share it
/// @param lines  of a box, as make_tma_copy() takes them
template <class Copy>
Copy matrix_copy(void const* data, Strides const& s, std::int64_t x, std::int64_t y, std::int64_t batch,
                 int lines = INT_MAX) {
  auto const matrix = make_view(static_cast<typename Copy::T const*>(data),
                                make_layout(make_shape(x, y, batch), make_stride(s.row, s.col, s.batch)));  // (X,Y,L)
  return make_tma_copy<Copy>(matrix, lines);
}
// [maps]

/// The copies of an operand (x,k,batch). @param cluster  blocks of a cluster along x
template <class Tma>
OperandTiles<Tma> operand_tiles(void const* data, Strides const& s, std::int64_t x, std::int64_t k, std::int64_t batch,
                                int cluster = 1) {
  using Tiles = OperandTiles<Tma>;
  int const tile = int((x - 1) / Tma::X), inside = int((x - 1) % Tma::X) + 1,
            lines = Tma::along_y ? inside : ceil_div(inside, Tiles::box) * Tiles::box, over = lines - inside;
  auto const whole = matrix_copy<Tma>(data, s, x, k, batch);
  Tiles tiles{whole, whole, tile, lines, (tile + 1) % cluster == 0 ? lines : 0, INT_MAX};
  if (Tma::along_y && inside % Tiles::part != 0) {
    tiles.last = matrix_copy<Tma>(data, s, x, k, batch, inside % Tiles::part);
  } else if (over > 0 && s.col == x) {  // else a gap is behind each row, which nobody may have written
    tiles.last = matrix_copy<Tma>(data, s, x + over, k, batch);
    tiles.last_until = int((k - ceil_div(over, std::max<std::int64_t>(s.col, 1))) / Tma::Y);
  }
  return tiles;
}

}  // namespace tilestep
