#pragma once
// ldmatrix: a warp reads 8 x 8 matrices of 16-bit elements from shared memory straight into the fragments of mma.sync.

#include <tilestep/backend/macros.hpp>   // TS_HOST_DEVICE, TS_INLINE
#include <tilestep/backend/pointer.hpp>  // SharedPtr

#include <cstdint>  // std::uint32_t

namespace tilestep {

/// Reads `Matrices` matrices; lane l receives elements 2 (l % 4) and 2 (l % 4) + 1 of row l / 4 of matrix i in
/// registers[i]. Transposed: of column l / 4.
/// @param row  lane l's: row l % 8 of matrix l / 8, eight elements; lanes from 8 * Matrices on may give any address
/// @pre row is a multiple of 16 bytes; every lane of the warp takes part
/// @par Source PTX ISA, "Warp-level matrix load instruction: ldmatrix"
template <int Matrices, bool Transposed, class T>
TS_HOST_DEVICE TS_INLINE void ldmatrix([[maybe_unused]] SharedPtr<T> row, [[maybe_unused]] std::uint32_t* registers) {
  static_assert(Matrices == 1 || Matrices == 2 || Matrices == 4, "ldmatrix reads 1, 2 or 4 matrices");
#if defined(__CUDA_ARCH__)
  auto const address = static_cast<std::uint32_t>(__cvta_generic_to_shared(row.get()));
  std::uint32_t* const r = registers;
  if constexpr (Matrices == 1 && !Transposed) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r[0]) : "r"(address) : "memory");
  } else if constexpr (Matrices == 1) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];" : "=r"(r[0]) : "r"(address) : "memory");
  } else if constexpr (Matrices == 2 && !Transposed) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                 : "=r"(r[0]), "=r"(r[1])
                 : "r"(address)
                 : "memory");
  } else if constexpr (Matrices == 2) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                 : "=r"(r[0]), "=r"(r[1])
                 : "r"(address)
                 : "memory");
  } else if constexpr (!Transposed) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(address) : "memory");
  } else {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(address) : "memory");
  }
#endif
}

/// Does this backend have ldmatrix?
inline constexpr bool backend_has_ldmatrix = true;

}  // namespace tilestep
