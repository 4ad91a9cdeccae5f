#pragma once
// What a kernel says about itself and to its neighbours: which thread it is, where it waits for the others, what it
// takes from another thread's registers. Blocks are one-dimensional and grids are linear; a kernel computes its tile's
// coordinates.

#include <tilestep/backend/macros.hpp>   // TS_DEVICE, TS_INLINE
#include <tilestep/backend/pointer.hpp>  // GlobalPtr, SharedPtr, SharedArray

#include <cmath>        // std::fma
#include <cstdint>      // std::int64_t
#include <type_traits>  // std::is_trivially_copyable_v

namespace tilestep {

/// The `Shared` of a kernel that uses no shared memory.
struct NoShared {};

/// Threads that execute one instruction together: 32 on every NVIDIA GPU.
TS_HOST_DEVICE constexpr int warp_size() { return 32; }

#if defined(__CUDACC__)

TS_DEVICE TS_INLINE int thread_index() { return int(threadIdx.x); }              // 0 .. threads-1
TS_DEVICE TS_INLINE std::int64_t block_index() { return std::int64_t(blockIdx.x); }  // 0 .. blocks-1
TS_DEVICE TS_INLINE int lane_index() { return thread_index() % warp_size(); }
TS_DEVICE TS_INLINE int warp_index() { return thread_index() / warp_size(); }

/// A value that is the same in all lanes of the warp.
TS_DEVICE TS_INLINE int uniform(int value) { return value; }
TS_DEVICE TS_INLINE std::int64_t uniform(std::int64_t value) { return value; }

/// Waits for every thread of the block. What any of them wrote to memory before, all of them see after.
TS_DEVICE TS_INLINE void sync_threads() { __syncthreads(); }
/// The same for shared memory alone: what any of them wrote there before, all of them see after.
TS_DEVICE TS_INLINE void sync_shared() { __syncthreads(); }

/// Waits for every lane of the warp; orders memory among them.
TS_DEVICE TS_INLINE void sync_warp() { __syncwarp(); }

namespace detail {

inline constexpr unsigned all_lanes = 0xffffffffu;

// The integer that carries a T through a shuffle.
template <class T>
struct BitsOf {
  static_assert(std::is_trivially_copyable_v<T> && (sizeof(T) == 4 || sizeof(T) == 8),
                "a shuffled value must have 4 or 8 bytes: pack smaller ones, split larger ones");
  using type = std::conditional_t<sizeof(T) == 4, unsigned, unsigned long long>;
};
template <class T>
TS_DEVICE TS_INLINE auto to_bits(T value) { return __builtin_bit_cast(typename BitsOf<T>::type, value); }

}  // namespace detail

/// The value of lane `source`, of lane `lane ^ mask`, of the lane `d` below or above. A lane without such a neighbour
/// keeps its own.
/// @pre every lane of the warp takes part
template <class T>
TS_DEVICE TS_INLINE T shuffle(T value, int source) {
  return __builtin_bit_cast(T, __shfl_sync(detail::all_lanes, detail::to_bits(value), source));
}
template <class T>
TS_DEVICE TS_INLINE T shuffle_xor(T value, int mask) {
  return __builtin_bit_cast(T, __shfl_xor_sync(detail::all_lanes, detail::to_bits(value), mask));
}
template <class T>
TS_DEVICE TS_INLINE T shuffle_up(T value, int d) {
  return __builtin_bit_cast(T, __shfl_up_sync(detail::all_lanes, detail::to_bits(value), d));
}
template <class T>
TS_DEVICE TS_INLINE T shuffle_down(T value, int d) {
  return __builtin_bit_cast(T, __shfl_down_sync(detail::all_lanes, detail::to_bits(value), d));
}

#else  // an ordinary C++ file: kernels can be named, not run

int thread_index();
std::int64_t block_index();
int lane_index();
int warp_index();
void sync_threads();
void sync_shared();
void sync_warp();
template <class T> T shuffle(T value, int source);
template <class T> T shuffle_xor(T value, int mask);
template <class T> T shuffle_up(T value, int d);
template <class T> T shuffle_down(T value, int d);

#endif

/// a * b + c, rounded once.
TS_HOST_DEVICE inline float fma(float a, float b, float c) {
#if defined(__CUDA_ARCH__)
  return __fmaf_rn(a, b, c);
#else
  return std::fma(a, b, c);
#endif
}
TS_HOST_DEVICE inline double fma(double a, double b, double c) {
#if defined(__CUDA_ARCH__)
  return __fma_rn(a, b, c);
#else
  return std::fma(a, b, c);
#endif
}

}  // namespace tilestep
