#pragma once
// The solution: the vector is read where its first element exists, then each of its elements is asked on its own, in
// registers.

#include "kernel.hpp"  // ZeroFillCopy, CopyAtom

namespace tilestep {

/// One access of `Bits` bits by each thread, of which some elements may lie past the end of a row.
template <int Bits>
struct MaskedCopy {};
template <int Bits>
struct CopyTraits<MaskedCopy<Bits>> : CopyTraits<CopyBits<Bits>> {};

/// Copies every element for which `pred` holds, and zeros for all others, in whole vectors.
/// @param pred takes the index of an element in src   @param src (CPY,CPY_MN,CPY_K)   @param dst (CPY,CPY_MN,CPY_K)
template <int Bits, class T, class Pred, class Src, class Dst>
TS_INLINE TS_HOST_DEVICE constexpr void copy_if(CopyAtom<MaskedCopy<Bits>, T> const&, Pred const& pred, Src const& src,
                                                Dst&& dst) {
  using Vectors = CopyAtom<ZeroFillCopy<Bits>, T>;
  auto fragment = make_fragment_like<T>(src);                                           // (CPY,CPY_MN,CPY_K)
  copy_if(Vectors{}, pred, src, fragment);
  static_for<decltype(size(fragment))::value>([&](auto i) {
    if (!pred(i)) fragment(i) = T{};
  });
  copy(Vectors{}, fragment, dst);
}

}  // namespace tilestep
