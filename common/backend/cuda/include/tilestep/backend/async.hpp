#pragma once
// Asynchronous copies from global to shared memory: cp.async. A thread issues copies, closes a group of them, and waits
// until only its newest groups are in flight.

#include <tilestep/backend/async_cache.hpp>  // CacheAt, is_async_copy, is_async_wait
#include <tilestep/backend/macros.hpp>       // TS_HOST_DEVICE, TS_INLINE
#include <tilestep/backend/pointer.hpp>      // SharedPtr, GlobalPtr

#include <cstdint>      // std::uint32_t
#include <type_traits>  // std::type_identity_t

namespace tilestep {

/// Has the target that is compiled for async_copy()?
inline constexpr bool backend_has_async_copy = true;

/// The most bytes that a lane of async_copy_warp() copies on the target that is compiled for: there is none, it is
/// AMD's.
inline constexpr int backend_async_copy_warp_bytes = 0;

/// Issues a copy of VEC elements by this thread. Where `pred` is false the destination becomes zero and nothing is
/// read.
/// @tparam VEC  VEC elements have 4, 8 or 16 bytes  @tparam CACHE  which caches keep what is read
/// @pre both addresses are multiples of the bytes copied
/// @par Source PTX ISA, "Data Movement and Conversion Instructions: cp.async": bytes past src-size are zero
template <int VEC, CacheAt CACHE, class T>
TS_HOST_DEVICE TS_INLINE void async_copy([[maybe_unused]] SharedPtr<T> dst,
                                         [[maybe_unused]] GlobalPtr<std::type_identity_t<T> const> src,
                                         [[maybe_unused]] bool pred) {
  constexpr int bytes = VEC * int(sizeof(T));
  static_assert(is_async_copy<bytes, CACHE>,
                "async_copy moves 4, 8 or 16 bytes, past the first cache 16 alone: choose another VEC");
#if defined(__CUDA_ARCH__)
  auto const to = static_cast<std::uint32_t>(__cvta_generic_to_shared(dst.get()));
  auto const from = __cvta_generic_to_global(src.get());
  int const source_bytes = pred ? bytes : 0;
  if constexpr (CACHE == CacheAt::l2) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], %2, %3;"
                 :
                 : "r"(to), "l"(from), "n"(bytes), "r"(source_bytes)
                 : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;"
                 :
                 : "r"(to), "l"(from), "n"(bytes), "r"(source_bytes)
                 : "memory");
  }
#endif
}
template <int VEC, class T>
TS_HOST_DEVICE TS_INLINE void async_copy(SharedPtr<T> dst, GlobalPtr<std::type_identity_t<T> const> src, bool pred) {
  async_copy<VEC, default_cache<VEC * int(sizeof(T))>>(dst, src, pred);
}

template <int VEC, class T>
TS_HOST_DEVICE void async_copy_warp(SharedPtr<T>, GlobalPtr<std::type_identity_t<T> const>, bool) {
  static_assert(sizeof(T) == 0,
                "NVIDIA GPUs have no async_copy_warp: take async_copy, where each thread names its destination");
}
template <int VEC, class T>
TS_HOST_DEVICE void async_copy_warp(SharedPtr<T>, GlobalPtr<std::type_identity_t<T> const>, std::int64_t, bool) {
  static_assert(sizeof(T) == 0,
                "NVIDIA GPUs have no async_copy_warp: take async_copy, where each thread names its destination");
}

/// Closes the group of the copies that this thread has issued since the last one. A group may be empty.
/// @par Source PTX ISA, "cp.async.commit_group"
TS_HOST_DEVICE TS_INLINE void async_commit() {
#if defined(__CUDA_ARCH__)
  asm volatile("cp.async.commit_group;" : : : "memory");
#endif
}

/// Waits until at most the newest `Groups` groups of this thread's copies are in flight.
/// @tparam CopiesPerGroup  the copies that each thread issues for a group: AMD counts them
/// @par Source PTX ISA, "cp.async.wait_group"
template <int Groups, int CopiesPerGroup>
TS_HOST_DEVICE TS_INLINE void async_wait() {
  static_assert(is_async_wait<Groups, CopiesPerGroup>,
                "async_wait: at most 63 copies can be left in flight: wait for more groups");
#if defined(__CUDA_ARCH__)
  asm volatile("cp.async.wait_group %0;" : : "n"(Groups) : "memory");
#endif
}
/// Waits for all of this thread's copies that are in groups.
template <int Groups>
  requires(Groups == 0)
TS_HOST_DEVICE TS_INLINE void async_wait() {
  async_wait<0, 0>();
}

}  // namespace tilestep
