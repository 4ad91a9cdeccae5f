#pragma once
// Four products of 8-bit integers and a sum. NVIDIA has an instruction for it.

#include <tilestep/backend/macros.hpp>  // TS_HOST_DEVICE, TS_INLINE

#include <cstdint>  // std::uint32_t

namespace tilestep {

/// c and the products of the four bytes of a and of b, which have a sign; the sum wraps around.
/// @par Source PTX ISA, "dp4a"
TS_HOST_DEVICE TS_INLINE std::int32_t dot_product(std::uint32_t a, std::uint32_t b, std::int32_t c) {
#if defined(__CUDA_ARCH__)
  asm("dp4a.s32.s32 %0, %1, %2, %0;" : "+r"(c) : "r"(a), "r"(b));
  return c;
#else
  std::uint32_t sum = static_cast<std::uint32_t>(c);
  for (int i = 0; i < 32; i += 8) {
    auto const x = static_cast<std::int8_t>(a >> i & 0xffu), y = static_cast<std::int8_t>(b >> i & 0xffu);
    sum += static_cast<std::uint32_t>(x * y);
  }
  return static_cast<std::int32_t>(sum);
#endif
}

}  // namespace tilestep
