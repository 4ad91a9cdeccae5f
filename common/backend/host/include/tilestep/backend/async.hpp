#pragma once
// Asynchronous copies from global to shared memory: the thread issues one and goes on, and waits for it later. NVIDIA's
// cp.async names a destination for each thread and counts groups; AMD CDNA's loads to shared memory name one for a warp
// and count copies. Here both exist, and what the chosen target lacks is a hazard. From its issue to the wait a copy is
// in flight: its destination may not be touched, nor its source written. The wait makes it visible to its own thread;
// the others see it after a barrier that follows.

#include <tilestep/backend/async_cache.hpp>               // CacheAt
#include <tilestep/backend/kernel.hpp>                    // lane_index
#include <tilestep/backend/pointer.hpp>                   // SharedPtr, GlobalPtr
#include <tilestep/backend/virtual_gpu/async_copies.hpp>  // issue, commit, wait

#include <cstdint>          // std::int64_t
#include <source_location>  // which instruction of the kernel this is
#include <type_traits>      // std::type_identity_t

namespace tilestep {

/// Has the target that is compiled for async_copy()? The virtual GPU stands for every target.
inline constexpr bool backend_has_async_copy = true;

/// The most bytes that a lane of async_copy_warp() copies on the target that is compiled for; 0 if there is no such
/// copy.
inline constexpr int backend_async_copy_warp_bytes = 16;

/// Issues a copy of VEC elements by this thread. Where `pred` is false the destination becomes zero and nothing is
/// read.
/// @tparam VEC  VEC elements have 4, 8 or 16 bytes  @tparam CACHE  which caches keep what is read
/// @pre both addresses are multiples of the bytes copied
/// @par Errors  a target without cp.async: the thread stops with a hazard
template <int VEC, CacheAt CACHE, class T>
TS_DEVICE TS_INLINE void async_copy(SharedPtr<T> dst, GlobalPtr<std::type_identity_t<T> const> src, bool pred) {
  static_assert(is_async_copy<VEC* int(sizeof(T)), CACHE>,
                "async_copy moves 4, 8 or 16 bytes, past the first cache 16 alone: choose another VEC");
  virtual_gpu::note_call_site();
  virtual_gpu::issue_thread_copy({dst.view(), dst.address()}, {src.view(), src.address()}, VEC * int(sizeof(T)), pred);
}
template <int VEC, class T>
TS_DEVICE TS_INLINE void async_copy(SharedPtr<T> dst, GlobalPtr<std::type_identity_t<T> const> src, bool pred) {
  async_copy<VEC, default_cache<VEC * int(sizeof(T))>>(dst, src, pred);
}

/// Issues a copy by the whole warp: lane l copies VEC elements from `tile + offset` to `dst_of_warp + l * VEC`, or
/// zeros where its `pred` is false.
/// @param dst_of_warp  the same in all lanes  @param offset  in elements
/// @tparam VEC  VEC elements have 4 bytes, or 16 where backend_async_copy_warp_bytes says so
/// @pre every lane of the warp takes part; both addresses are multiples of the bytes of a lane; the offset of a thread
///     has 31 bits in bytes
/// @par Errors  a target without it: the thread stops with a hazard
template <int VEC, class T>
TS_DEVICE TS_INLINE void async_copy_warp(SharedPtr<T> dst_of_warp, GlobalPtr<std::type_identity_t<T> const> tile,
                                         std::int64_t offset, bool pred,
                                         std::source_location place = std::source_location::current()) {
  constexpr int bytes = VEC * int(sizeof(T));
  static_assert(is_async_copy_warp<bytes>, "async_copy_warp moves 4 or 16 bytes a lane: choose another VEC");
  virtual_gpu::WarpDestination warp{dst_of_warp.address(), bytes};
  virtual_gpu::meet_in_warp(virtual_gpu::warp_destination, &warp, place);
  if (warp.address == 0) virtual_gpu::no_warp_copies();
  auto const src = tile + offset;
  virtual_gpu::note_call_site();
  virtual_gpu::issue_lane_copy({dst_of_warp.view(), warp.address + std::uintptr_t(lane_index() * bytes)},
                               {src.view(), src.address()}, bytes, pred);
}

/// The same from a source that each lane names.
template <int VEC, class T>
TS_DEVICE TS_INLINE void async_copy_warp(SharedPtr<T> dst_of_warp, GlobalPtr<std::type_identity_t<T> const> src,
                                         bool pred, std::source_location place = std::source_location::current()) {
  async_copy_warp<VEC>(dst_of_warp, src, 0, pred, place);
}

/// Closes the group of the copies that this thread has issued since the last one. A group may be empty.
TS_DEVICE TS_INLINE void async_commit() { virtual_gpu::commit_copies(); }

/// Waits until at most the newest `Groups` groups of this thread's copies are in flight. AMD counts copies instead: it
/// waits until at most Groups * CopiesPerGroup copies are.
/// @tparam CopiesPerGroup  the copies that each thread issues for a group
template <int Groups, int CopiesPerGroup>
TS_DEVICE TS_INLINE void async_wait() {
  static_assert(is_async_wait<Groups, CopiesPerGroup>,
                "async_wait: at most 63 copies can be left in flight: wait for more groups");
  virtual_gpu::wait_for_copies(Groups, CopiesPerGroup);
}
/// Waits for all of this thread's copies that are in groups.
template <int Groups>
  requires(Groups == 0)
TS_DEVICE TS_INLINE void async_wait() {
  async_wait<0, 0>();
}

}  // namespace tilestep
