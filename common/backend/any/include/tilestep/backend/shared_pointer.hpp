#pragma once
// Pointers to a GPU's shared memory, of both vendors: plain ones that know their memory. The virtual GPU has others,
// which see hazards.

#include <tilestep/backend/macros.hpp>  // TS_HOST_DEVICE, TS_DEVICE
#include <tilestep/backend/memory.hpp>  // SharedMemory

#include <cstdint>      // std::int64_t
#include <type_traits>  // std::is_same_v

namespace tilestep {

/// A T in the block's shared memory. Offsets are in elements and have 32 bits.
template <class T>
class SharedPtr {
 public:
  using value_type = T;
  using memory = SharedMemory;

  SharedPtr() = default;
  TS_HOST_DEVICE constexpr explicit SharedPtr(T* raw) : raw_(raw) {}
  template <class U>
    requires(std::is_same_v<U const, T>)
  TS_HOST_DEVICE constexpr SharedPtr(SharedPtr<U> other) : raw_(other.get()) {}  // to a pointer that only reads

  TS_HOST_DEVICE constexpr T* get() const { return raw_; }
  TS_HOST_DEVICE constexpr SharedPtr operator+(int i) const { return SharedPtr(raw_ + i); }
  TS_HOST_DEVICE constexpr T& operator[](int i) const { return raw_[i]; }
  TS_HOST_DEVICE constexpr T& operator*() const { return *raw_; }

 private:
  T* raw_;
};

/// N elements of shared memory: a member of a kernel's `Shared`. Nothing initialises them.
template <class T, int N>
struct alignas(128) SharedArray {
  T elements[N];
};

/// The first element of a shared array. The name is for messages of the virtual GPU.
template <class T, int N>
TS_DEVICE SharedPtr<T> shared(SharedArray<T, N>& array, char const* /*name*/ = "") {
  return SharedPtr<T>(array.elements);
}

/// The same memory, read as elements of type U.
template <class U, class T>
TS_HOST_DEVICE SharedPtr<U> recast(SharedPtr<T> ptr) {
  return SharedPtr<U>(reinterpret_cast<U*>(ptr.get()));
}

/// The virtual GPU prints coordinates in its reports; a GPU needs no description of tensors.
inline constexpr bool describes_tensors = false;

template <class Ptr>
TS_HOST_DEVICE void describe(Ptr, int, std::int64_t const*, std::int64_t const*) {}

}  // namespace tilestep
