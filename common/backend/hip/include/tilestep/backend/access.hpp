#pragma once
// One access of several elements. The compiler joins neighbouring element accesses only when it can prove their
// alignment, so vector accesses go through the compiler's own vector types: 1, 2, 4, 8 or 16 bytes in one instruction.

#include <tilestep/backend/pointer.hpp>  // GlobalPtr, SharedPtr

#include <cstdint>      // std::uint32_t
#include <type_traits>  // std::remove_const_t

namespace tilestep {

namespace detail {

// The type whose load is one instruction of that many bytes. It may alias every other type.
template <int Bytes>
struct PacketOf;
template <> struct PacketOf<16> { using type __attribute__((may_alias, vector_size(16))) = std::uint32_t; };
template <> struct PacketOf<8> { using type __attribute__((may_alias, vector_size(8))) = std::uint32_t; };
template <> struct PacketOf<4> { using type __attribute__((may_alias)) = std::uint32_t; };
template <> struct PacketOf<2> { using type __attribute__((may_alias)) = std::uint16_t; };
template <> struct PacketOf<1> { using type __attribute__((may_alias)) = std::uint8_t; };

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
TS_DEVICE TS_INLINE void store(GlobalPtr<T> ptr, T const* registers) {
  detail::store_packets<VEC, T>(ptr.get(), registers);
}
template <int VEC, class T>
TS_DEVICE TS_INLINE void store(SharedPtr<T> ptr, T const* registers) {
  detail::store_packets<VEC, T>(ptr.get(), registers);
}

/// Reads VEC elements if `pred`; otherwise touches neither memory nor registers.
template <int VEC, class Ptr>
TS_DEVICE TS_INLINE void load_if(Ptr ptr, std::remove_const_t<typename Ptr::value_type>* registers, bool pred) {
  if (pred) load<VEC>(ptr, registers);
}

/// Writes VEC elements if `pred`; otherwise does not touch memory.
template <int VEC, class Ptr>
TS_DEVICE TS_INLINE void store_if(Ptr ptr, typename Ptr::value_type const* registers, bool pred) {
  if (pred) store<VEC>(ptr, registers);
}

}  // namespace tilestep
