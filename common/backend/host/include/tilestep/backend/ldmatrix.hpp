#pragma once
// ldmatrix: a warp reads 8 x 8 matrices of 16-bit elements from shared memory straight into the fragments of mma.sync.
// Here each lane reads the row whose address it gives, as any other access; then the lanes meet and share the rows out.

#include <tilestep/backend/kernel.hpp>                  // lane_index
#include <tilestep/backend/pointer.hpp>                 // SharedPtr
#include <tilestep/backend/virtual_gpu/rendezvous.hpp>  // meet_in_warp

#include <cstdint>          // std::uint32_t
#include <source_location>  // which instruction of the kernel this is

namespace tilestep {

namespace virtual_gpu {

/// What a lane brings to ldmatrix.
struct MatrixRow {
  std::uint16_t elements[8];  // the row whose address it gave
  std::uint32_t* registers;   // what it receives
};

/// The instruction as the warp executes it.
template <int Matrices, bool Transposed>
Collective const& ldmatrix_collective();

}  // namespace virtual_gpu

/// Reads `Matrices` matrices; lane l receives elements 2 (l % 4) and 2 (l % 4) + 1 of row l / 4 of matrix i in
/// registers[i]. Transposed: of column l / 4.
/// @param row  lane l's: row l % 8 of matrix l / 8, eight elements; lanes from 8 * Matrices on may give any address
/// @pre row is a multiple of 16 bytes; every lane of the warp takes part
/// @par Source PTX ISA, "Warp-level matrix load instruction: ldmatrix"
template <int Matrices, bool Transposed, class T>
TS_DEVICE TS_INLINE void ldmatrix(SharedPtr<T> row, std::uint32_t* registers,
                                  std::source_location place = std::source_location::current()) {
  static_assert(Matrices == 1 || Matrices == 2 || Matrices == 4, "ldmatrix reads 1, 2 or 4 matrices");
  virtual_gpu::MatrixRow mine{{}, registers};
  virtual_gpu::read<16>(row.view(), row.address(), mine.elements, lane_index() < 8 * Matrices);
  virtual_gpu::meet_in_warp(virtual_gpu::ldmatrix_collective<Matrices, Transposed>(), &mine, place);
}

/// Does this backend have ldmatrix?
inline constexpr bool backend_has_ldmatrix = true;

}  // namespace tilestep
