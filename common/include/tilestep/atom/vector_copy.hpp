#pragma once
// Copies of one thread in vectors, as operations of a CopyAtom. UniversalCopy keeps the destination where its predicate
// is false; the copy here fills it with zeros, which is what a tile of an operand needs outside of its matrix.

#include <tilestep/atom/copy_atom.hpp>  // CopyTraits

namespace tilestep {

/// One access of `Bits` bits of global memory by each thread, or zeros where the predicate is false.
/// @pre with 128 bits: a thread's tensor, from tile to tile, spans less than 2^31 bytes (AMD: these are buffer loads,
///     whose offsets have 32 bits)
template <int Bits>
struct ZeroFillCopy {};

template <int Bits>
struct CopyTraits<ZeroFillCopy<Bits>> : CopyTraits<CopyBits<Bits>> {};

/// The widest accesses of at most `Bits` bits whose elements a static layout keeps side by side. The layout cannot say
/// where a thread's part starts: that this is a multiple of `Bits`, too, is assumed.
/// @par Source CuTe's operation of this name
template <int Bits>
struct AutoVectorizingCopyWithAssumedAlignment {};

}  // namespace tilestep
