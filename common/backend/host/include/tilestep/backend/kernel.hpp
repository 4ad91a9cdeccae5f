#pragma once
// What a kernel asks about its thread, and where its threads meet: the words of a kernel beside its pointers.

#include <tilestep/backend/macros.hpp>                   // TS_DEVICE, TS_INLINE
#include <tilestep/backend/virtual_gpu/call_site.hpp>    // note_call_site
#include <tilestep/backend/virtual_gpu/current.hpp>      // the thread that runs
#include <tilestep/backend/virtual_gpu/rendezvous.hpp>   // waiting for one another
#include <tilestep/backend/virtual_gpu/unwritten.hpp>    // check_use, check_factor

#include <cmath>            // std::fma
#include <cstdint>          // std::int64_t
#include <cstring>          // std::memcpy
#include <source_location>  // which barrier of the kernel this is
#include <type_traits>      // std::is_trivially_copyable_v

namespace tilestep {

/// The `Shared` of a kernel that uses no shared memory.
struct NoShared {};

TS_DEVICE TS_INLINE int thread_index() { return virtual_gpu::current->thread; }          // 0 .. threads-1
TS_DEVICE TS_INLINE std::int64_t block_index() { return virtual_gpu::current->block; }   // 0 .. blocks-1
TS_DEVICE TS_INLINE int lane_index() { return virtual_gpu::current->lane; }
TS_DEVICE TS_INLINE int warp_index() { return virtual_gpu::current->warp; }
TS_DEVICE TS_INLINE int warp_size() { return virtual_gpu::current->warp_size; }

/// A value that is the same in all lanes of the warp that take part. Where they differ, a GPU may take any of them: a
/// hazard.
TS_DEVICE inline std::int64_t uniform(std::int64_t value,
                                      std::source_location place = std::source_location::current()) {
  if (virtual_gpu::current->check) virtual_gpu::check_uniform(value, place);
  return value;
}
TS_DEVICE inline int uniform(int value, std::source_location place = std::source_location::current()) {
  return int(uniform(std::int64_t(value), place));
}

/// Waits for every thread of the block. What any of them wrote to memory before, all of them see after.
TS_DEVICE inline void sync_threads(std::source_location place = std::source_location::current()) {
  virtual_gpu::wait_for_block(place);
}
/// The same for shared memory alone: what any of them wrote there before, all of them see after. It orders no accesses
/// to global memory.
TS_DEVICE inline void sync_shared(std::source_location place = std::source_location::current()) {
  virtual_gpu::wait_for_block(place, false);
}

/// Waits for every lane of the warp; orders memory among them.
TS_DEVICE inline void sync_warp(std::source_location place = std::source_location::current()) {
  virtual_gpu::wait_for_warp(place);
}

namespace detail {

template <class T>
TS_DEVICE inline T exchange_bits(T value, int source, std::source_location const& place) {
  static_assert(std::is_trivially_copyable_v<T> && (sizeof(T) == 4 || sizeof(T) == 8),
                "a shuffled value must have 4 or 8 bytes: pack smaller ones, split larger ones");
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  bits = virtual_gpu::exchange_in_warp(bits, source, place);
  std::memcpy(&value, &bits, sizeof(T));
  return value;
}

}  // namespace detail

/// The value of lane `source` (modulo the warp), of lane `lane ^ mask`, of the lane `d` below or above. A lane without
/// such a neighbour keeps its own.
/// @pre every lane of the warp takes part
template <class T>
TS_DEVICE T shuffle(T value, int source, std::source_location place = std::source_location::current()) {
  return detail::exchange_bits(value, source & (warp_size() - 1), place);
}
template <class T>
TS_DEVICE T shuffle_xor(T value, int mask, std::source_location place = std::source_location::current()) {
  return detail::exchange_bits(value, lane_index() ^ mask, place);
}
template <class T>
TS_DEVICE T shuffle_up(T value, int d, std::source_location place = std::source_location::current()) {
  return detail::exchange_bits(value, lane_index() - d, place);
}
template <class T>
TS_DEVICE T shuffle_down(T value, int d, std::source_location place = std::source_location::current()) {
  return detail::exchange_bits(value, lane_index() + d, place);
}

namespace detail {
inline void check_factors(float a, float b, float c) {
  virtual_gpu::note_call_site();
  for (float const each : {a, b, c}) virtual_gpu::check_factor(each);
}
}  // namespace detail

/// a * b + c, rounded once. A kernel's are counted.
TS_HOST_DEVICE TS_INLINE float fma(float a, float b, float c) {
  if (virtual_gpu::current != nullptr) ++virtual_gpu::current->fma;
  float const sum = std::fma(a, b, c);
  if (sum != sum) [[unlikely]] detail::check_factors(a, b, c);  // what nobody wrote is a NaN
  return sum;
}
TS_HOST_DEVICE TS_INLINE double fma(double a, double b, double c) {
  if (virtual_gpu::current != nullptr) {
    ++virtual_gpu::current->fma;
    for (double const each : {a, b, c}) {  // what nobody wrote is very large
      if (each > 1e306) [[unlikely]] virtual_gpu::check_use(&each, sizeof(each), "fma()");
    }
  }
  return std::fma(a, b, c);
}

}  // namespace tilestep
