#pragma once
// What a kernel says about itself and to its neighbours: which thread it is, where it waits for the others, what it
// takes from another thread's registers. Blocks are one-dimensional and grids are linear; a kernel computes its tile's
// coordinates.

#include <tilestep/backend/macros.hpp>   // TS_DEVICE, TS_INLINE
#include <tilestep/backend/pointer.hpp>  // GlobalPtr, SharedPtr, SharedArray

#include <cstdint>      // std::int64_t
#include <type_traits>  // std::is_trivially_copyable_v

namespace tilestep {

/// The `Shared` of a kernel that uses no shared memory.
struct NoShared {};

#if defined(__HIP__)

/// Threads that execute one instruction together: 64 on CDNA, 32 on RDNA. The compiler knows which.
TS_DEVICE TS_INLINE int warp_size() { return int(__builtin_amdgcn_wavefrontsize()); }

TS_DEVICE TS_INLINE int thread_index() { return int(threadIdx.x); }              // 0 .. threads-1
TS_DEVICE TS_INLINE std::int64_t block_index() { return std::int64_t(blockIdx.x); }  // 0 .. blocks-1
TS_DEVICE TS_INLINE int lane_index() { return thread_index() % warp_size(); }
TS_DEVICE TS_INLINE int warp_index() { return thread_index() / warp_size(); }

/// A value that is the same in all lanes of the warp, in a scalar register.
TS_DEVICE TS_INLINE int uniform(int value) { return __builtin_amdgcn_readfirstlane(value); }
TS_DEVICE TS_INLINE std::int64_t uniform(std::int64_t value) {
  std::uint32_t const low = std::uint32_t(uniform(int(value))), high = std::uint32_t(uniform(int(value >> 32)));
  return std::int64_t(std::uint64_t(high) << 32 | low);
}

/// Waits for every thread of the block. What any of them wrote to memory before, all of them see after.
TS_DEVICE TS_INLINE void sync_threads() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
/// The same for shared memory alone: what any of them wrote there before, all of them see after. RDNA
/// empties caches of global memory where it is not named.
TS_DEVICE TS_INLINE void sync_shared() {
#if __clang_major__ >= 19
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup", "local");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup", "local");
#else
  sync_threads();
#endif
}

/// Waits for every lane of the warp; orders memory among them. Lanes run in step: only the compiler must keep
/// the order.
TS_DEVICE TS_INLINE void sync_warp() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}

/// The value of lane `source`. The hardware moves 32 bits at a time between any two lanes, addressed in bytes.
/// @pre every lane of the warp takes part
template <class T>
TS_DEVICE TS_INLINE T shuffle(T value, int source) {
  static_assert(std::is_trivially_copyable_v<T> && (sizeof(T) == 4 || sizeof(T) == 8),
                "a shuffled value must have 4 or 8 bytes: pack smaller ones, split larger ones");
  int words[sizeof(T) / 4];
  __builtin_memcpy(words, &value, sizeof(T));
  TS_UNROLL
  for (int& word : words) word = __builtin_amdgcn_ds_bpermute((source & (warp_size() - 1)) * 4, word);
  __builtin_memcpy(&value, words, sizeof(T));
  return value;
}

/// The value of lane `lane ^ mask`, of the lane `d` below or above. A lane without such a neighbour keeps its own.
template <class T>
TS_DEVICE TS_INLINE T shuffle_xor(T value, int mask) { return shuffle(value, lane_index() ^ mask); }
template <class T>
TS_DEVICE TS_INLINE T shuffle_up(T value, int d) {
  return shuffle(value, lane_index() >= d ? lane_index() - d : lane_index());
}
template <class T>
TS_DEVICE TS_INLINE T shuffle_down(T value, int d) {
  return shuffle(value, lane_index() + d < warp_size() ? lane_index() + d : lane_index());
}

#else  // an ordinary C++ file: kernels can be named, not run

int warp_size();
int thread_index();
std::int64_t block_index();
int lane_index();
int warp_index();
int uniform(int value);
std::int64_t uniform(std::int64_t value);
void sync_threads();
void sync_shared();
void sync_warp();
template <class T> T shuffle(T value, int source);
template <class T> T shuffle_xor(T value, int mask);
template <class T> T shuffle_up(T value, int d);
template <class T> T shuffle_down(T value, int d);

#endif

/// a * b + c, rounded once.
TS_HOST_DEVICE inline float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
TS_HOST_DEVICE inline double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }

}  // namespace tilestep
