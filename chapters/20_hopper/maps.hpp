#pragma once
// Matrices as the copy engine sees them. It moves boxes of what it can address: one mode contiguous, and every other
// stride a multiple of 16 bytes. Extents may be anything: what lies outside comes as zeros, and is never written.

#include "config.hpp"  // OperandTile, Major

#include <tilestep/harness/types.hpp>  // Strides

#include <cstdint>  // std::int64_t

namespace tilestep {

// [reads]
/// Can the copy engine address a matrix (row,col,batch) whose rows, or columns, are contiguous?
/// @param bytes  of an element
inline bool copy_engine_takes(void const* data, Strides const& s, std::int64_t rows, std::int64_t cols,
                              std::int64_t batch, int bytes, bool along_rows) {
  auto const is_multiple = [&](std::int64_t stride, std::int64_t extent) {
    return extent <= 1 || (stride > 0 && stride * bytes % 16 == 0);
  };
  std::int64_t const contiguous = along_rows ? s.col : s.row, line = along_rows ? s.row : s.col,
                     lines = along_rows ? rows : cols;
  return (contiguous == 1 || (along_rows ? cols : rows) <= 1) && is_multiple(line, lines) &&
         is_multiple(s.batch, batch) && reinterpret_cast<std::uintptr_t>(data) % 16 == 0;
}
// [reads]

namespace detail {
/// The contiguous mode, lines, matrices. Strides of modes with one element are never used: they become what the
/// hardware accepts.
inline TensorTile tensor_tile(void const* data, int bytes, std::int64_t contiguous, std::int64_t lines,
                              std::int64_t line, std::int64_t matrices, std::int64_t matrix) {
  return {.base = data,
          .element_size = bytes,
          .rank = 3,
          .extent = {contiguous, lines, matrices},
          .stride = {1, lines > 1 ? line : 16, matrices > 1 ? matrix : 16}};
}
}  // namespace detail

/// An operand (mn,k,batch) of 16-bit elements, in boxes of a tile that `shared_by` blocks send together. @tparam Tile
/// an OperandTile
template <class Tile>
TensorMap operand_map(void const* data, Strides const& s, std::int64_t mn, std::int64_t k, std::int64_t batch,
                      int shared_by) {
  bool const along_k = Tile::major == Major::k;
  auto tile = Tile::boxed(along_k ? detail::tensor_tile(data, 2, k, mn, s.row, batch, s.batch)
                                  : detail::tensor_tile(data, 2, mn, k, s.col, batch, s.batch));
  if (along_k) tile.box[1] /= shared_by;  // along M or N a part is whole boxes
  return make_tensor_map(tile);
}

/// C (m,n,sums), in boxes of rows x columns whose rows fill the swizzle.
inline TensorMap result_map(void* data, Strides const& s, std::int64_t m, std::int64_t n, std::int64_t sums, int bytes,
                            int rows, int columns) {
  auto tile = detail::tensor_tile(data, bytes, n, m, s.row, sums, s.batch);
  tile.box[0] = columns;
  tile.box[1] = rows;
  tile.swizzle = TileSwizzle(columns * bytes);
  return make_tensor_map(tile);
}

}  // namespace tilestep
