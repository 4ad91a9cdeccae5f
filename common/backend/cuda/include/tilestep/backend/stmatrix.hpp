#pragma once
// stmatrix: a warp writes 8 x 8 matrices of 16-bit elements from the fragments of matrix instructions to rows in shared
// memory: ldmatrix backwards.

#include <tilestep/backend/hopper_asm.hpp>  // TS_HOPPER

namespace tilestep {

/// Writes `Matrices` matrices; lane l gives elements 2 (l % 4) and 2 (l % 4) + 1 of row l / 4 of matrix i in
/// registers[i]. Transposed: of column l / 4.
/// @param row  lane l's: row l % 8 of matrix l / 8, eight elements; lanes from 8 * Matrices on may give any address
/// @pre row is a multiple of 16 bytes; every lane of the warp takes part
/// @par Source PTX ISA, "Warp-level matrix store instruction: stmatrix"
template <int Matrices, bool Transposed, class T>
TS_HOST_DEVICE TS_INLINE void stmatrix([[maybe_unused]] SharedPtr<T> row,
                                       [[maybe_unused]] std::uint32_t const* registers) {
  static_assert(Matrices == 1 || Matrices == 2 || Matrices == 4, "stmatrix writes 1, 2 or 4 matrices");
  [[maybe_unused]] std::uint32_t const* const r = registers;
  if constexpr (Matrices == 1 && !Transposed) {
    TS_HOPPER("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};"
              : : "r"(detail::shared_address(row)), "r"(r[0]) : "memory");
  } else if constexpr (Matrices == 1) {
    TS_HOPPER("stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [%0], {%1};"
              : : "r"(detail::shared_address(row)), "r"(r[0]) : "memory");
  } else if constexpr (Matrices == 2 && !Transposed) {
    TS_HOPPER("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%1, %2};"
              : : "r"(detail::shared_address(row)), "r"(r[0]), "r"(r[1]) : "memory");
  } else if constexpr (Matrices == 2) {
    TS_HOPPER("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1, %2};"
              : : "r"(detail::shared_address(row)), "r"(r[0]), "r"(r[1]) : "memory");
  } else if constexpr (!Transposed) {
    TS_HOPPER("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};"
              : : "r"(detail::shared_address(row)), "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]) : "memory");
  } else {
    TS_HOPPER("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, %3, %4};"
              : : "r"(detail::shared_address(row)), "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]) : "memory");
  }
}

}  // namespace tilestep
