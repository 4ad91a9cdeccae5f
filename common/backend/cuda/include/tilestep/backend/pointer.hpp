#pragma once
// Pointers that know their memory. A kernel reaches global and shared memory through these two types alone: the tag
// lets an algorithm choose the right copy, and `load<VEC>` is one access of the hardware. On NVIDIA GPUs they are plain
// pointers.

#include <tilestep/backend/macros.hpp>          // TS_HOST_DEVICE
#include <tilestep/backend/memory.hpp>          // GlobalMemory
#include <tilestep/backend/shared_pointer.hpp>  // SharedPtr, SharedArray

#include <cstdint>      // std::int64_t
#include <type_traits>  // std::is_same_v

namespace tilestep {

/// A T in device memory. Offsets are in elements and have 64 bits.
template <class T>
class GlobalPtr {
 public:
  using value_type = T;
  using memory = GlobalMemory;

  GlobalPtr() = default;
  TS_HOST_DEVICE constexpr explicit GlobalPtr(T* raw) : raw_(raw) {}
  template <class U>
    requires(std::is_same_v<U const, T>)
  TS_HOST_DEVICE constexpr GlobalPtr(GlobalPtr<U> other) : raw_(other.get()) {}  // to a pointer that only reads

  TS_HOST_DEVICE constexpr T* get() const { return raw_; }
  TS_HOST_DEVICE constexpr GlobalPtr operator+(std::int64_t i) const { return GlobalPtr(raw_ + i); }
  TS_HOST_DEVICE constexpr T& operator[](std::int64_t i) const { return raw_[i]; }
  TS_HOST_DEVICE constexpr T& operator*() const { return *raw_; }

 private:
  T* raw_;
};

template <class T>
TS_HOST_DEVICE constexpr GlobalPtr<T> global(T* raw) {
  return GlobalPtr<T>(raw);
}

/// The same memory, read as elements of type U.
template <class U, class T>
TS_HOST_DEVICE GlobalPtr<U> recast(GlobalPtr<T> ptr) {
  return GlobalPtr<U>(reinterpret_cast<U*>(ptr.get()));
}

}  // namespace tilestep

#include <tilestep/backend/access.hpp>  // load<VEC>, store<VEC>, load_if<VEC>, store_if<VEC>
