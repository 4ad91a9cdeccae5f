#pragma once
// Reading tiles one after the other into the same registers.

#include <tilestep/backend/pointer.hpp>  // GlobalPtr, load_if

#include <cstdint>  // std::uint32_t

namespace tilestep {

/// Reads VEC elements in one access where `pred` is true. L2 fetches all of the 128 bytes in which they lie: where a
/// tile has a shorter piece of a row, the tiles after it have the rest.
/// @pre where it is false, the registers already hold zeros
/// @par Source PTX ISA, "Data Movement and Conversion Instructions: ld": .level::prefetch_size, a hint
template <int VEC, class Ptr, class T>
TS_DEVICE TS_INLINE void reload_or_zero(Ptr ptr, T* registers, bool pred) {
#if defined(__CUDA_ARCH__)
  constexpr int bytes = VEC * int(sizeof(T));
  if constexpr (bytes == 16) {
    uint4 packet;
    __builtin_memcpy(&packet, registers, bytes);
    asm volatile("{ .reg .pred p; setp.ne.s32 p, %5, 0; @p ld.global.L2::128B.v4.u32 {%0, %1, %2, %3}, [%4]; }"
                 : "+r"(packet.x), "+r"(packet.y), "+r"(packet.z), "+r"(packet.w)
                 : "l"(ptr.get()), "r"(int(pred))
                 : "memory");
    __builtin_memcpy(registers, &packet, bytes);
  } else if constexpr (bytes == 4) {
    std::uint32_t packet;
    __builtin_memcpy(&packet, registers, bytes);
    asm volatile("{ .reg .pred p; setp.ne.s32 p, %2, 0; @p ld.global.L2::128B.u32 %0, [%1]; }"
                 : "+r"(packet) : "l"(ptr.get()), "r"(int(pred)) : "memory");
    __builtin_memcpy(registers, &packet, bytes);
  } else {
    load_if<VEC>(ptr, registers, pred);
  }
#else
  load_if<VEC>(ptr, registers, pred);
#endif
}

}  // namespace tilestep
