#pragma once
// One access of several elements. The compiler joins neighbouring element accesses only when it can prove their
// alignment, so vector accesses go through the hardware's own vector types: 1, 2, 4, 8 or 16 bytes in one instruction.

#include <tilestep/backend/pointer.hpp>  // GlobalPtr, SharedPtr

#include <cstdint>      // std::uint32_t
#include <type_traits>  // std::remove_const_t

namespace tilestep {

namespace detail {

// The type whose load is one instruction of that many bytes.
template <int Bytes>
struct PacketOf;
#if defined(__CUDACC__)
template <> struct PacketOf<16> { using type = uint4; };
template <> struct PacketOf<8> { using type = uint2; };
#else
template <> struct PacketOf<16> { struct alignas(16) type { std::uint32_t words[4]; }; };
template <> struct PacketOf<8> { struct alignas(8) type { std::uint32_t words[2]; }; };
#endif
template <> struct PacketOf<4> { using type = std::uint32_t; };
template <> struct PacketOf<2> { using type = std::uint16_t; };
template <> struct PacketOf<1> { using type = std::uint8_t; };

// How VEC elements of T travel: in packets of at most 16 bytes.
template <int VEC, class T>
struct Packets {
  static constexpr int bytes = VEC * int(sizeof(T));
  static_assert(VEC > 0 && (bytes & (bytes - 1)) == 0,
                "VEC elements must have 1, 2, 4, 8, 16, .. bytes: choose another VEC");
  static constexpr int count = bytes <= 16 ? 1 : bytes / 16;
  static constexpr int elements = VEC / count;  // of one packet
  using type = typename PacketOf<bytes / count>::type;
};

// Reads one packet of global memory if `pred`, else keeps what `packet` holds. A predicated instruction: `if` would be
// a branch, and loads cannot be moved past one another's branches.
template <class Packet>
TS_DEVICE TS_INLINE void load_global_if(Packet& packet, void const* source, bool pred) {
#if defined(__CUDA_ARCH__)
  if constexpr (sizeof(Packet) == 16) {
    asm volatile("{ .reg .pred p; setp.ne.s32 p, %5, 0; @p ld.global.v4.u32 {%0, %1, %2, %3}, [%4]; }"
                 : "+r"(packet.x), "+r"(packet.y), "+r"(packet.z), "+r"(packet.w)
                 : "l"(source), "r"(int(pred))
                 : "memory");
  } else if constexpr (sizeof(Packet) == 8) {
    asm volatile("{ .reg .pred p; setp.ne.s32 p, %3, 0; @p ld.global.v2.u32 {%0, %1}, [%2]; }"
                 : "+r"(packet.x), "+r"(packet.y) : "l"(source), "r"(int(pred)) : "memory");
  } else if constexpr (sizeof(Packet) == 4) {
    asm volatile("{ .reg .pred p; setp.ne.s32 p, %2, 0; @p ld.global.u32 %0, [%1]; }"
                 : "+r"(packet) : "l"(source), "r"(int(pred)) : "memory");
  } else if constexpr (sizeof(Packet) == 2) {
    asm volatile("{ .reg .pred p; setp.ne.s32 p, %2, 0; @p ld.global.u16 %0, [%1]; }"
                 : "+h"(packet) : "l"(source), "r"(int(pred)) : "memory");
  } else {
    if (pred) packet = *static_cast<Packet const*>(source);
  }
#else
  if (pred) packet = *static_cast<Packet const*>(source);
#endif
}

// Writes one packet to global memory if `pred`. nvcc takes a packet apart where it can follow its elements, and writes
// each by itself.
template <class Packet>
TS_DEVICE TS_INLINE void store_global_if(void* destination, Packet const& packet, bool pred) {
#if defined(__CUDA_ARCH__)
  if constexpr (sizeof(Packet) == 16) {
    asm volatile("{ .reg .pred p; setp.ne.s32 p, %5, 0; @p st.global.v4.u32 [%4], {%0, %1, %2, %3}; }" ::"r"(packet.x),
                 "r"(packet.y), "r"(packet.z), "r"(packet.w), "l"(destination), "r"(int(pred))
                 : "memory");
  } else if constexpr (sizeof(Packet) == 8) {
    asm volatile("{ .reg .pred p; setp.ne.s32 p, %3, 0; @p st.global.v2.u32 [%2], {%0, %1}; }"
                 :: "r"(packet.x), "r"(packet.y), "l"(destination), "r"(int(pred)) : "memory");
  } else {
    if (pred) *static_cast<Packet*>(destination) = packet;
  }
#else
  if (pred) *static_cast<Packet*>(destination) = packet;
#endif
}

template <int VEC, class T>
TS_DEVICE TS_INLINE void load_packets(T const* source, T* registers) {
  using P = Packets<VEC, T>;
  TS_UNROLL
  for (int i = 0; i < P::count; ++i) {
    auto const packet = reinterpret_cast<typename P::type const*>(source)[i];
    __builtin_memcpy(registers + i * P::elements, &packet, sizeof(packet));  // constant size: registers are renamed
  }
}

template <int VEC, class T>
TS_DEVICE TS_INLINE void store_packets(T* destination, T const* registers) {
  using P = Packets<VEC, T>;
  TS_UNROLL
  for (int i = 0; i < P::count; ++i) {
    typename P::type packet;
    __builtin_memcpy(&packet, registers + i * P::elements, sizeof(packet));
    reinterpret_cast<typename P::type*>(destination)[i] = packet;
  }
}

}  // namespace detail

/// Reads VEC elements of memory into registers, in one access.
/// @pre ptr is aligned to min(16, VEC * sizeof(T)) bytes
template <int VEC, class T>
TS_DEVICE TS_INLINE void load(GlobalPtr<T> ptr, std::remove_const_t<T>* registers) {
  detail::load_packets<VEC, std::remove_const_t<T>>(ptr.get(), registers);
}
template <int VEC, class T>
TS_DEVICE TS_INLINE void load(SharedPtr<T> ptr, std::remove_const_t<T>* registers) {
  detail::load_packets<VEC, std::remove_const_t<T>>(ptr.get(), registers);
}

/// Writes VEC elements from registers to memory, in one access.
/// @pre ptr is aligned to min(16, VEC * sizeof(T)) bytes
template <int VEC, class T>
TS_DEVICE TS_INLINE void store(SharedPtr<T> ptr, T const* registers) {
  detail::store_packets<VEC, T>(ptr.get(), registers);
}

/// Reads VEC elements if `pred`; otherwise touches neither memory nor registers.
template <int VEC, class T>
TS_DEVICE TS_INLINE void load_if(GlobalPtr<T> ptr, std::remove_const_t<T>* registers, bool pred) {
  using P = detail::Packets<VEC, std::remove_const_t<T>>;
  TS_UNROLL
  for (int i = 0; i < P::count; ++i) {
    typename P::type packet;
    __builtin_memcpy(&packet, registers + i * P::elements, sizeof(packet));
    detail::load_global_if(packet, ptr.get() + i * P::elements, pred);
    __builtin_memcpy(registers + i * P::elements, &packet, sizeof(packet));
  }
}
template <int VEC, class T>
TS_DEVICE TS_INLINE void load_if(SharedPtr<T> ptr, std::remove_const_t<T>* registers, bool pred) {
  if (pred) load<VEC>(ptr, registers);
}

/// Writes VEC elements if `pred`; otherwise does not touch memory.
template <int VEC, class T>
TS_DEVICE TS_INLINE void store_if(GlobalPtr<T> ptr, T const* registers, bool pred) {
  using P = detail::Packets<VEC, T>;
  TS_UNROLL
  for (int i = 0; i < P::count; ++i) {
    typename P::type packet;
    __builtin_memcpy(&packet, registers + i * P::elements, sizeof(packet));
    detail::store_global_if(ptr.get() + i * P::elements, packet, pred);
  }
}
template <int VEC, class T>
TS_DEVICE TS_INLINE void store_if(SharedPtr<T> ptr, T const* registers, bool pred) {
  if (pred) store<VEC>(ptr, registers);
}

/// Writes VEC elements from registers to global memory, in one access.
/// @pre ptr is aligned to min(16, VEC * sizeof(T)) bytes
template <int VEC, class T>
TS_DEVICE TS_INLINE void store(GlobalPtr<T> ptr, T const* registers) {
  store_if<VEC>(ptr, registers, true);
}

/// Reads VEC elements of a tile into registers, in one access, or zeros where `pred` is false.
/// @param offset  of the access in the tile, in elements, from where `tile` points
template <int VEC, class T, class Pred>
TS_DEVICE TS_INLINE void load_or_zero(GlobalPtr<T> tile, std::int64_t offset, std::remove_const_t<T>* registers,
                                      Pred pred) {
  if constexpr (std::is_same_v<Pred, bool>) {
    TS_UNROLL
    for (int i = 0; i < VEC; ++i) registers[i] = std::remove_const_t<T>{};
    load_if<VEC>(tile + offset, registers, pred);
  } else {
    load<VEC>(tile + offset, registers);
  }
}

}  // namespace tilestep
