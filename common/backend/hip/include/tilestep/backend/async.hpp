#pragma once
// Asynchronous copies from global to shared memory. On AMD CDNA a load can go past the registers: the warp names one
// place in shared memory, and lane l's bytes land at l times their number from there. The copies are counted, as every
// load is, and waited for by number. RDNA has none.

#include <tilestep/backend/async_cache.hpp>  // CacheAt, is_async_copy_warp, is_async_wait
#include <tilestep/backend/macros.hpp>       // TS_HOST_DEVICE, TS_INLINE
#include <tilestep/backend/pointer.hpp>      // SharedPtr, GlobalPtr

#include <cstdint>      // std::int64_t
#include <type_traits>  // std::type_identity_t

namespace tilestep {

/// Has the target that is compiled for async_copy()? It is NVIDIA's.
inline constexpr bool backend_has_async_copy = false;

/// The most bytes that a lane of async_copy_warp() copies on the target that is compiled for; 0 if there is no such
/// copy. Code for the host does not know the target.
#if defined(__gfx950__) || !defined(__HIP_DEVICE_COMPILE__)
inline constexpr int backend_async_copy_warp_bytes = 16;
#elif defined(__gfx90a__) || defined(__gfx940__) || defined(__gfx941__) || defined(__gfx942__)
inline constexpr int backend_async_copy_warp_bytes = 4;
#else
inline constexpr int backend_async_copy_warp_bytes = 0;
#endif

template <int VEC, CacheAt CACHE, class T>
TS_HOST_DEVICE void async_copy(SharedPtr<T>, GlobalPtr<std::type_identity_t<T> const>, bool) {
  static_assert(sizeof(T) == 0,
                "AMD GPUs have no async_copy: take async_copy_warp on CDNA, copy through registers on RDNA");
}
template <int VEC, class T>
TS_HOST_DEVICE void async_copy(SharedPtr<T>, GlobalPtr<std::type_identity_t<T> const>, bool) {
  static_assert(sizeof(T) == 0,
                "AMD GPUs have no async_copy: take async_copy_warp on CDNA, copy through registers on RDNA");
}

#if defined(__HIP_DEVICE_COMPILE__)
namespace detail {

using AsyncBuffer __attribute__((ext_vector_type(4))) = std::uint32_t;

// In a scalar register that a scalar instruction wrote: a buffer load may not follow closely upon a vector instruction
// that wrote its buffer, and the compiler, which keeps them apart elsewhere, does not look into assembly.
TS_DEVICE TS_INLINE std::uint64_t scalar_address(std::uint64_t address) {
  std::uint64_t scalar;
  asm("s_mov_b64 %0, %1" : "=s"(scalar) : "s"(address));
  return scalar;
}

/// The instruction. It is assembly because of the compiler, which waits for all loads to shared memory before any later
/// read of it.
/// @param base  the same in all lanes  @param offset  in bytes, less than 2^31
/// @par Source CDNA3 ISA, "Memory buffer load to LDS": LDS address = M0 + 4 * lane; "Manually inserted wait states":
///     one after M0 is written. Lanes outside of the buffer write zeros: CDNA4 ISA 9.1.5.1 (out of range, reads return
///     zero) with 9.1.9.1 (loads to LDS clamp addresses as other loads do), and ROCm/rocm-systems pull request 10928,
///     where AMD corrected its emulator for CDNA1 to 4 by gfx950 hardware: "Out-of-range lanes of buffer_load ... lds
///     write zeros to LDS instead of being skipped."
template <int BYTES, class T>
TS_DEVICE TS_INLINE void buffer_load_lds(SharedPtr<T> dst_of_warp, std::uint64_t base, std::uint32_t offset,
                                         bool pred) {
  // of the buffer, whole words; what is read from outside is zero
  constexpr std::uint32_t bytes = 0x7ffffffc, outside = 0x80000000;
  AsyncBuffer const buffer{std::uint32_t(base), std::uint32_t(base >> 32), bytes, 0x00020000};
  auto const to = std::uint32_t(
      reinterpret_cast<std::uintptr_t>((std::uint32_t __attribute__((address_space(3)))*)dst_of_warp.get()));
  std::uint32_t const from = pred ? offset : outside;
  if constexpr (BYTES == 16) {
    asm volatile("s_nop 0\n\tbuffer_load_dwordx4 %1, %2, 0 offen lds"
                 :
                 : "{m0}"(to), "v"(from), "s"(buffer)
                 : "memory");
  } else {
    asm volatile("s_nop 0\n\tbuffer_load_dword %1, %2, 0 offen lds" : : "{m0}"(to), "v"(from), "s"(buffer) : "memory");
  }
}

}  // namespace detail
#endif

/// Issues a copy by the whole warp: lane l copies VEC elements from `tile + offset` to `dst_of_warp + l * VEC`, or
/// zeros where its `pred` is false. On a target without it the program stops.
/// @param dst_of_warp  the same in all lanes  @param tile  a GlobalPtr  @param offset  in elements
/// @tparam VEC  VEC elements have 4 bytes, or 16 where backend_async_copy_warp_bytes says so
/// @pre every lane of the warp takes part, those that copy zeros included: a lane that is switched off writes nothing;
///     both addresses are multiples of the bytes of a lane; the tile's base is the same in all lanes, and a thread's
///     part of it spans less than 2^31 bytes
template <int VEC, class T, class Tile>
TS_HOST_DEVICE TS_INLINE void async_copy_warp([[maybe_unused]] SharedPtr<T> dst_of_warp, [[maybe_unused]] Tile tile,
                                              [[maybe_unused]] std::int64_t offset, [[maybe_unused]] bool pred) {
  constexpr int bytes = VEC * int(sizeof(T));
  static_assert(is_async_copy_warp<bytes>, "async_copy_warp moves 4 or 16 bytes a lane: choose another VEC");
  static_assert(std::is_same_v<std::remove_const_t<typename Tile::value_type>, T>,
                "async_copy_warp converts nothing: give source and destination one type");
#if defined(__HIP_DEVICE_COMPILE__)
  if constexpr (bytes > backend_async_copy_warp_bytes) {
    asm volatile("s_trap 2");  // not __builtin_trap(): a kernel that surely ends there is not optimised
  } else {
    std::uint32_t const from = std::uint32_t(tile.thread_offset() + offset) * std::uint32_t(sizeof(T));
    detail::buffer_load_lds<bytes>(
        dst_of_warp, detail::scalar_address(reinterpret_cast<std::uint64_t>(tile.base() + tile.step())), from, pred);
  }
#endif
}

/// The same from a source that each lane names, within 1 GiB of lane 0's.
template <int VEC, class T>
TS_HOST_DEVICE TS_INLINE void async_copy_warp([[maybe_unused]] SharedPtr<T> dst_of_warp,
                                              [[maybe_unused]] GlobalPtr<std::type_identity_t<T> const> src,
                                              [[maybe_unused]] bool pred) {
#if defined(__HIP_DEVICE_COMPILE__)
  // Lane 0's address, less 1 GiB so that no offset is negative, is the base of all.
  auto const address = reinterpret_cast<std::uint64_t>(src.get());
  std::uint32_t const low = std::uint32_t(__builtin_amdgcn_readfirstlane(int(address)));
  std::uint32_t const high = std::uint32_t(__builtin_amdgcn_readfirstlane(int(address >> 32)));
  std::uint64_t const base = (std::uint64_t(high) << 32 | low) - (1u << 30);
  async_copy_warp<VEC>(dst_of_warp, GlobalPtr<T const>(reinterpret_cast<T const*>(base)),
                       std::int64_t(address - base) / int(sizeof(T)), pred);
#endif
}

/// Closes a group of copies. AMD counts copies, not groups: nothing happens.
TS_HOST_DEVICE TS_INLINE void async_commit() {}

/// Waits until at most Groups * CopiesPerGroup of the warp's newest copies are in flight. Loads to registers count too:
/// one that came after the copies makes the wait longer, never shorter.
/// @tparam CopiesPerGroup  the copies that each thread issues for a group
/// @par Source CDNA3 ISA, S_WAITCNT: vmcnt counts loads, which return in order
template <int Groups, int CopiesPerGroup>
TS_HOST_DEVICE TS_INLINE void async_wait() {
  static_assert(is_async_wait<Groups, CopiesPerGroup>,
                "async_wait: at most 63 copies can be left in flight: wait for more groups");
#if defined(__HIP_DEVICE_COMPILE__)
  if constexpr (backend_async_copy_warp_bytes > 0)
    asm volatile("s_waitcnt vmcnt(%0)" : : "n"(Groups * CopiesPerGroup) : "memory");
#endif
}
template <int Groups>
  requires(Groups == 0)
TS_HOST_DEVICE TS_INLINE void async_wait() {
  async_wait<0, 0>();
}

}  // namespace tilestep
