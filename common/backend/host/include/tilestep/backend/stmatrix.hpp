#pragma once
// stmatrix: a warp writes 8 x 8 matrices of 16-bit elements from the fragments of matrix instructions to rows in shared
// memory: ldmatrix backwards. Here the lanes meet and share the rows out; then each lane writes the row whose address
// it gives, as any other access.

#include <tilestep/backend/ldmatrix.hpp>  // MatrixRow

namespace tilestep {

namespace virtual_gpu {
/// The instruction as the warp executes it: rows from `registers`.
template <int Matrices, bool Transposed>
Collective const& stmatrix_collective();
}  // namespace virtual_gpu

/// Writes `Matrices` matrices; lane l gives elements 2 (l % 4) and 2 (l % 4) + 1 of row l / 4 of matrix i in
/// registers[i]. Transposed: of column l / 4.
/// @param row  lane l's: row l % 8 of matrix l / 8, eight elements; lanes from 8 * Matrices on may give any address
/// @pre row is a multiple of 16 bytes; every lane of the warp takes part
/// @par Source PTX ISA, "Warp-level matrix store instruction: stmatrix"
template <int Matrices, bool Transposed, class T>
TS_DEVICE TS_INLINE void stmatrix(SharedPtr<T> row, std::uint32_t const* registers,
                                  std::source_location place = std::source_location::current()) {
  static_assert(Matrices == 1 || Matrices == 2 || Matrices == 4, "stmatrix writes 1, 2 or 4 matrices");
  std::uint32_t given[4];
  for (int i = 0; i < Matrices; ++i) given[i] = registers[i];
  virtual_gpu::MatrixRow mine{{}, given};
  virtual_gpu::meet_in_warp(virtual_gpu::stmatrix_collective<Matrices, Transposed>(), &mine, place);
  virtual_gpu::write<16>(row.view(), row.address(), mine.elements, lane_index() < 8 * Matrices);
}

}  // namespace tilestep
