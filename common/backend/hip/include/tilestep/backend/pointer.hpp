#pragma once
// Pointers that know their memory. A kernel reaches global and shared memory through these two types alone: the tag
// lets an algorithm choose the right copy, and `load<VEC>` is one access of the hardware. On AMD GPUs a pointer to
// shared memory is a plain pointer; inlining tells the compiler where it points, so that no access becomes a slow
// `flat` one: a test reads the instructions. A pointer to device memory keeps apart what all threads of a block share
// and what is a thread's own, because the hardware does: an address is a scalar base and a vector offset.

#include <tilestep/backend/macros.hpp>          // TS_HOST_DEVICE
#include <tilestep/backend/memory.hpp>          // GlobalMemory
#include <tilestep/backend/shared_pointer.hpp>  // SharedPtr, SharedArray

#include <cstdint>      // std::int64_t
#include <type_traits>  // std::is_same_v

namespace tilestep {

/// The part of a buffer's description that says where its end is. Each tile has its own, made once: were the words
/// constants that two tiles share, they would be moved in every iteration of a loop that advances the tiles. So the
/// compiler is not told what they are.
/// @par Source CDNA3 and RDNA3 ISA, "Buffer resource descriptor"
struct BufferRange {
  static constexpr std::uint32_t outside = 0x80000000u;  ///< the first offset past the end
  std::uint32_t bytes = outside, format = 0;

  TS_HOST_DEVICE constexpr static BufferRange make() {
    BufferRange range;
#if defined(__HIP_DEVICE_COMPILE__)
    if (!__builtin_is_constant_evaluated()) {
#if defined(__GFX11__) || defined(__GFX12__)
      constexpr std::uint32_t raw = 0x31004000;
#else
      constexpr std::uint32_t raw = 0x00020000;
#endif
      asm volatile("s_mov_b32 %0, %1" : "=s"(range.bytes) : "i"(outside));
      asm volatile("s_mov_b32 %0, %1" : "=s"(range.format) : "i"(raw));
    }
#endif
    return range;
  }
};

/// A T in device memory. Offsets are in elements and have 64 bits.
/// @tparam OfThread  the part of a tile that belongs to one thread: what is added from here on, such as the step to the
///     next tile, is the same for all threads again
template <class T, bool OfThread = false>
class GlobalPtr {
 public:
  using value_type = T;
  using memory = GlobalMemory;

  GlobalPtr() = default;
  TS_HOST_DEVICE constexpr explicit GlobalPtr(T* base) : base_(base) {}
  TS_HOST_DEVICE constexpr GlobalPtr(T* base, std::int64_t thread_offset, std::int64_t step, BufferRange range)
      : base_(base), thread_offset_(thread_offset), step_(step), range_(range) {}
  template <class U, bool Other>
    requires(std::is_same_v<U const, T> || (std::is_same_v<U, T> && Other != OfThread))
  // to a pointer that only reads, or that forgets its parts
  TS_HOST_DEVICE constexpr GlobalPtr(GlobalPtr<U, Other> other)
      : base_(OfThread ? other.base() : other.get()), thread_offset_(OfThread ? other.thread_offset() : 0),
        step_(OfThread ? other.step() : 0), range_(other.range()) {}

  TS_HOST_DEVICE constexpr T* base() const { return base_; }
  TS_HOST_DEVICE constexpr std::int64_t thread_offset() const { return thread_offset_; }
  TS_HOST_DEVICE constexpr std::int64_t step() const { return step_; }
  TS_HOST_DEVICE constexpr BufferRange range() const { return range_; }
  TS_HOST_DEVICE constexpr T* get() const { return base_ + thread_offset_ + step_; }
  TS_HOST_DEVICE constexpr GlobalPtr operator+(std::int64_t i) const {
    return OfThread ? GlobalPtr(base_, thread_offset_, step_ + i, range_)
                    : GlobalPtr(base_ + i, thread_offset_, step_, range_);
  }
  TS_HOST_DEVICE constexpr T& operator[](std::int64_t i) const { return get()[i]; }
  TS_HOST_DEVICE constexpr T& operator*() const { return *get(); }

  /// This thread's part of a tile starts so far from the tile.
  TS_HOST_DEVICE constexpr GlobalPtr<T, true> for_thread(std::int64_t i) const {
    return {base_, thread_offset_ + i, step_, BufferRange::make()};
  }

 private:
  T* base_;
  std::int64_t thread_offset_ = 0;
  std::int64_t step_ = 0;
  BufferRange range_ = {};
};

template <class T>
TS_HOST_DEVICE constexpr GlobalPtr<T> global(T* raw) {
  return GlobalPtr<T>(raw);
}

/// The same memory, read as elements of type U.
template <class U, class T, bool OfThread>
TS_HOST_DEVICE GlobalPtr<U> recast(GlobalPtr<T, OfThread> ptr) {
  return GlobalPtr<U>(reinterpret_cast<U*>(ptr.get()));
}

}  // namespace tilestep

#include <tilestep/backend/access.hpp>  // load<VEC>, store<VEC>, load_if<VEC>, store_if<VEC>
