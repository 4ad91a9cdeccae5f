#pragma once
// Four products of 8-bit integers and a sum. AMD's instructions for it differ by generation, so the compiler chooses.

#include <tilestep/backend/macros.hpp>  // TS_HOST_DEVICE, TS_INLINE

#include <cstdint>  // std::uint32_t

namespace tilestep {

/// c and the products of the four bytes of a and of b, which have a sign; the sum wraps around.
/// @par Source PTX ISA, "dp4a"
TS_HOST_DEVICE TS_INLINE constexpr std::int32_t dot_product(std::uint32_t a, std::uint32_t b, std::int32_t c) {
  std::uint32_t sum = static_cast<std::uint32_t>(c);
  for (int i = 0; i < 32; i += 8) {
    auto const x = static_cast<std::int8_t>(a >> i & 0xffu), y = static_cast<std::int8_t>(b >> i & 0xffu);
    sum += static_cast<std::uint32_t>(x * y);
  }
  return static_cast<std::int32_t>(sum);
}

}  // namespace tilestep
