#pragma once
// The exercise: rows that begin at multiples of 16 bytes and end anywhere. The last vector of a row holds elements of
// the matrix and, after them, whatever lies in memory before the next row. Change copy_if until the check passes.

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
  copy_if(Vectors{}, pred, src, dst);  // asks for the first element of each vector
}

}  // namespace tilestep
