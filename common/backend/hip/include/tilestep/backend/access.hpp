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
template <int VEC, class T, bool OfThread>
TS_DEVICE TS_INLINE void load(GlobalPtr<T, OfThread> ptr, std::remove_const_t<T>* registers) {
  detail::load_packets<VEC, std::remove_const_t<T>>(ptr.get(), registers);
}
template <int VEC, class T>
TS_DEVICE TS_INLINE void load(SharedPtr<T> ptr, std::remove_const_t<T>* registers) {
  detail::load_packets<VEC, std::remove_const_t<T>>(ptr.get(), registers);
}

#if defined(__HIP_DEVICE_COMPILE__)
namespace detail {

// A buffer as the hardware takes it: base, bytes, format. The builtins take one made by the compiler, which masks the
// base anew in every iteration; the intrinsics take four scalars.
template <class T, int N>
using BufferWords __attribute__((ext_vector_type(N))) = T;
using Buffer = BufferWords<std::uint32_t, 4>;
__device__ BufferWords<std::uint32_t, 4> buffer_load_16(Buffer, int offset, int scalar_offset,
                                                        int policy) __asm("llvm.amdgcn.raw.buffer.load.v4i32");
__device__ BufferWords<std::uint32_t, 2> buffer_load_8(Buffer, int offset, int scalar_offset,
                                                       int policy) __asm("llvm.amdgcn.raw.buffer.load.v2i32");
__device__ std::uint32_t buffer_load_4(Buffer, int offset, int scalar_offset,
                                       int policy) __asm("llvm.amdgcn.raw.buffer.load.i32");
__device__ std::uint16_t buffer_load_2(Buffer, int offset, int scalar_offset,
                                       int policy) __asm("llvm.amdgcn.raw.buffer.load.i16");
__device__ std::uint8_t buffer_load_1(Buffer, int offset, int scalar_offset,
                                      int policy) __asm("llvm.amdgcn.raw.buffer.load.i8");

// The buffer that starts at a tile's base; steps from there are scalar offsets.
template <class T>
TS_DEVICE TS_INLINE Buffer buffer_of(GlobalPtr<T, true> tile) {
  auto const address = reinterpret_cast<std::uint64_t>(tile.base());
  return Buffer{std::uint32_t(address), std::uint32_t(address >> 32), tile.range().bytes, tile.range().format};
}

}  // namespace detail
#endif

/// Reads VEC elements of a tile into registers, in one access, or zeros where `pred` is false: a buffer load. The
/// tile's base is scalar, the offset within it a vector; the hardware gives zero for an offset outside of the buffer,
/// and that is where a false predicate sends it.
/// @param offset  of the access in the tile, in elements, from where `tile` points
/// @pre the tile, and all that steps lead to, span less than 2^31 bytes: a buffer load's offsets have 32 bits.
///     Documents differ in whether the range check sees the step; within these bounds both give the same.
/// @par Source CDNA3 ISA, "Buffer addressing": range checks of raw buffers
template <int VEC, class T, class Pred>
TS_DEVICE TS_INLINE void load_or_zero([[maybe_unused]] GlobalPtr<T, true> tile, [[maybe_unused]] std::int64_t offset,
                                      [[maybe_unused]] std::remove_const_t<T>* registers, [[maybe_unused]] Pred pred) {
#if defined(__HIP_DEVICE_COMPILE__)
  constexpr int bytes = VEC * int(sizeof(T));
  static_assert(bytes <= 16, "a buffer load reads at most 16 bytes: choose another VEC");
  auto const buffer = detail::buffer_of(tile);
  std::uint32_t at = std::uint32_t(tile.thread_offset() + offset) * std::uint32_t(sizeof(T));
  if constexpr (std::is_same_v<Pred, bool>) at = pred ? at : BufferRange::outside;
  int const step = int(std::uint32_t(tile.step()) * std::uint32_t(sizeof(T)));
  auto const give = [&](auto packet) { __builtin_memcpy(registers, &packet, bytes); };
  if constexpr (bytes == 16) give(detail::buffer_load_16(buffer, int(at), step, 0));
  else if constexpr (bytes == 8) give(detail::buffer_load_8(buffer, int(at), step, 0));
  else if constexpr (bytes == 4) give(detail::buffer_load_4(buffer, int(at), step, 0));
  else if constexpr (bytes == 2) give(detail::buffer_load_2(buffer, int(at), step, 0));
  else give(detail::buffer_load_1(buffer, int(at), step, 0));
#endif
}

/// Writes VEC elements from registers to memory, in one access.
/// @pre ptr is aligned to min(16, VEC * sizeof(T)) bytes
template <int VEC, class T, bool OfThread>
TS_DEVICE TS_INLINE void store(GlobalPtr<T, OfThread> ptr, T const* registers) {
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
