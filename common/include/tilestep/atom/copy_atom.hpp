#pragma once
// One copy instruction: how many threads take part and which bits each of them gives and receives. A plain copy is one
// thread's; ldmatrix is a whole warp's, whose lanes give addresses of rows and receive elements of other rows.

#include <tilestep/tensor.hpp>  // Layout, recast_layout

#include <cstdint>  // std::uint64_t

namespace tilestep {

/// What an operation's traits provide:
///   ThrID       its threads
///   SrcLayout   (source thread, bit) -> bit     DstLayout   (destination thread, bit) -> bit
///   RefLayout   (thread, bit) -> bit: the side that a TiledCopy's layout speaks of
template <class Operation>
struct CopyTraits;

/// 16 bytes, by CuTe's name.
struct alignas(16) uint128_t { std::uint64_t low, high; };

namespace detail {
template <int Bits> struct Word {
  static_assert(Bits > 0 && Bits % 8 == 0, "an access has whole bytes: choose a multiple of 8 bits");
  struct type { std::uint8_t bytes[Bits / 8]; };
};
template <> struct Word<8> { using type = std::uint8_t; };
template <> struct Word<16> { using type = std::uint16_t; };
template <> struct Word<32> { using type = std::uint32_t; };
template <> struct Word<64> { using type = std::uint64_t; };
template <> struct Word<128> { using type = uint128_t; };
}  // namespace detail
/// The unsigned integer of so many bits; several instructions' worth of bits are bytes.
template <int Bits> using uint_bit_t = typename detail::Word<Bits>::type;

/// One access of sizeof(S) bytes by each thread, from any memory to any memory: UniversalCopy<uint128_t>.
template <class S, class D = S>
struct UniversalCopy {};
/// The same by its bits: CopyBits<128>.
template <int Bits> using CopyBits = UniversalCopy<uint_bit_t<Bits>>;

template <class S, class D>
struct CopyTraits<UniversalCopy<S, D>> {
  static_assert(sizeof(S) == sizeof(D), "UniversalCopy: what is read is what is written: give both types one size");
  using ThrID = Layout<_1>;
  using SrcLayout = Layout<Shape<_1, Int<sizeof_bits_v<S>>>>;
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
