#pragma once
// One copy instruction: how many threads take part and which bits each of them gives and receives. A plain copy is one thread's; ldmatrix
// is a whole warp's, whose lanes give addresses of rows and receive elements of other rows.

#include <tilestep/tensor.hpp>  // Layout, recast_layout

namespace tilestep {

/// What an operation's traits provide:
///   ThrID       its threads
///   SrcLayout   (source thread, bit) -> bit     DstLayout   (destination thread, bit) -> bit
///   RefLayout   (thread, bit) -> bit: the side that a TiledCopy's layout speaks of
template <class Operation>
struct CopyTraits;

/// One access of `Bits` bits by each thread, from any memory to any memory.
template <int Bits>
struct UniversalCopy {};

template <int Bits>
struct CopyTraits<UniversalCopy<Bits>> {
  using ThrID = Layout<_1>;
  using SrcLayout = Layout<Shape<_1, Int<Bits>>>;
  using DstLayout = SrcLayout;
  using RefLayout = SrcLayout;
};

/// The instruction on elements of type T: (thread, value) -> value instead of bits.
template <class Operation, class T>
struct CopyAtom : CopyTraits<Operation> {
  using Traits = CopyTraits<Operation>;
  using value_type = T;
  using ValLayoutSrc = decltype(recast_layout<1, sizeof_bits_v<T>>(typename Traits::SrcLayout{}));
  using ValLayoutDst = decltype(recast_layout<1, sizeof_bits_v<T>>(typename Traits::DstLayout{}));
  using ValLayoutRef = decltype(recast_layout<1, sizeof_bits_v<T>>(typename Traits::RefLayout{}));
};

}  // namespace tilestep
