#pragma once
// The exercise: an instruction whose layouts are not written yet. Change the three of them until the check passes.

#include <tilestep/layout.hpp>  // Layout

namespace tilestep {

/// v_mfma_f32_16x16x16_f16. The manual says, for lane l of 64 and value v of 4:
///   A   value v of lane l is A(m,k) with m = l % 16, k = 4 (l / 16) + v
///   B   value v of lane l is B(n,k) with n = l % 16, k = 4 (l / 16) + v
///   C   value v of lane l is C(m,n) with m = 4 (l / 16) + v, n = l % 16
/// A layout gives the column-major index: m + 16 k in A, n + 16 k in B, m + 16 n in C.
struct MyMfma {
  using ALayout = Layout<Shape<_64, _4>, Stride<_1, _64>>;
  using BLayout = Layout<Shape<_64, _4>, Stride<_1, _64>>;
  using CLayout = Layout<Shape<_64, _4>, Stride<_1, _64>>;
};

}  // namespace tilestep
