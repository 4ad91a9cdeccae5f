#pragma once
// Elements of 4 bits and of one, by CuTe's names: what matrix instructions multiply, packed into registers of 32 bits,
// the first element in the lowest ones. Outside of an instruction an element has a byte of its own, so that a tensor of
// them is a tensor as any other; the atom packs a fragment where it calls the instruction.

#include <tilestep/backend/macros.hpp>  // TS_HOST_DEVICE

#include <cstdint>  // std::uint8_t

namespace tilestep {

/// An integer of so many bits, which keeps the lowest ones of what it is made of.
template <int Bits, bool Signed>
struct integer_subbyte {
  static constexpr int packed_bits = Bits;
  std::uint8_t bits;

  integer_subbyte() = default;
  TS_HOST_DEVICE constexpr explicit integer_subbyte(int value) : bits(std::uint8_t(value & ((1 << Bits) - 1))) {}
  TS_HOST_DEVICE constexpr operator int() const {
    constexpr int sign = Signed ? 1 << (Bits - 1) : 0;
    return (bits ^ sign) - sign;
  }
};

using int4b_t = integer_subbyte<4, true>;    ///< -8 .. 7
using uint4b_t = integer_subbyte<4, false>;  ///< 0 .. 15
using uint1b_t = integer_subbyte<1, false>;  ///< 0 and 1

}  // namespace tilestep
