#pragma once
// The solution: each layout is read off the manual, lanes first, values second.

#include <tilestep/layout.hpp>  // Layout

namespace tilestep {

/// v_mfma_f32_16x16x16_f16. The manual says, for lane l of 64 and value v of 4:
///   A   value v of lane l is A(m,k) with m = l % 16, k = 4 (l / 16) + v
///   B   value v of lane l is B(n,k) with n = l % 16, k = 4 (l / 16) + v
///   C   value v of lane l is C(m,n) with m = 4 (l / 16) + v, n = l % 16
/// A layout gives the column-major index: m + 16 k in A, n + 16 k in B, m + 16 n in C.
struct MyMfma {
  using ALayout = Layout<Shape<Shape<_16, _4>, _4>, Stride<Stride<_1, _64>, _16>>;  // (m, 4 k),(k)
  using BLayout = ALayout;                                                         // (n, 4 k),(k)
  using CLayout = Layout<Shape<Shape<_16, _4>, _4>, Stride<Stride<_16, _4>, _1>>;  // (n, 4 m),(m)
};

}  // namespace tilestep
