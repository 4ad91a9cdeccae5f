#pragma once
// Swizzle: a permutation of offsets that no strides can express. It xors some bits of an offset into lower ones, so
// that the elements of a column, which would all lie in one shared-memory bank, spread over all of them:
//     0bxxYYYxxxxZZZxxx   ->   0bxxYYYxxxx(ZZZ^YYY)xxx       B bits each, Z starting at bit M, Y lying S bits higher

#include <tilestep/core/integer.hpp>  // C

namespace tilestep {

/// @param B  how many bits   @param M  how many low bits stay   @param S  how far Y lies above Z (below it if negative)
/// @post swizzle(swizzle(x)) == x
template <int B, int M, int S = B>
struct Swizzle {
  static_assert(B >= 0, "Swizzle: the number of bits is negative; choose B >= 0");
  static_assert(M >= 0, "Swizzle: the number of low bits kept is negative; choose M >= 0");
  static_assert((S < 0 ? -S : S) >= B, "Swizzle: source and target bits overlap; choose a shift of at least B bits");

  static constexpr int bits = B;
  static constexpr int base = M;
  static constexpr int shift = S;
  static constexpr int yyy = ((1 << B) - 1) << (M + (S > 0 ? S : 0));   // the bits that are read
  static constexpr int zzz = ((1 << B) - 1) << (M - (S < 0 ? S : 0));   // the bits that are changed

  template <class Offset>
  TS_HOST_DEVICE constexpr auto operator()(Offset const& offset) const {
    if constexpr (S >= 0) return offset ^ ((offset & Int<yyy>{}) >> Int<S>{});
    else return offset ^ ((offset & Int<yyy>{}) << Int<-S>{});
  }
};

template <int B, int M, int S, int B1, int M1, int S1>
TS_HOST_DEVICE constexpr auto operator==(Swizzle<B, M, S>, Swizzle<B1, M1, S1>) {
  return bool_constant<B == B1 && M == M1 && S == S1>{};
}

}  // namespace tilestep
