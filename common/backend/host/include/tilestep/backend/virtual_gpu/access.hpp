#pragma once
// One access to memory: ask the virtual GPU, then copy the bytes. `Access` is what `ptr[i]` gives: it turns into a
// value when it is read and records a write when it is assigned to.

#include <tilestep/backend/macros.hpp>              // TS_INLINE
#include <tilestep/backend/virtual_gpu/call_site.hpp>  // note_call_site
#include <tilestep/backend/virtual_gpu/record.hpp>     // record_read, record_write

#include <concepts>     // std::constructible_from
#include <cstdint>      // std::uintptr_t
#include <cstring>      // std::memcpy
#include <type_traits>  // std::remove_const_t
#include <utility>      // std::forward

namespace tilestep::virtual_gpu {

/// What a read that may not touch memory gives: all bits set, a NaN in every floating-point type.
inline constexpr unsigned char poison = 0xFF;

template <int BYTES, class View>
TS_INLINE void read(View* view, std::uintptr_t address, void* registers, bool active) {
  note_call_site();
  bool const allowed = view == nullptr ? active : record_read(*view, address, BYTES, active);
  if (allowed) {
    std::memcpy(registers, reinterpret_cast<void const*>(address), BYTES);
  } else if (active) {
    std::memset(registers, poison, BYTES);
  }
}

template <int BYTES, class View>
TS_INLINE void write(View* view, std::uintptr_t address, void const* registers, bool active) {
  note_call_site();
  bool const allowed = view == nullptr ? active : record_write(*view, address, registers, BYTES, active);
  if (allowed) std::memcpy(reinterpret_cast<void*>(address), registers, BYTES);
}

/// Stands for `ptr[i]`. It cannot be kept: `auto x = a[i]; x + 1;` would be a value on a GPU and does not compile here.
template <class T, class Memory>
class Access {
  static_assert(std::is_trivially_copyable_v<T>, "elements of GPU memory are copied bit by bit");

 public:
  using Value = std::remove_const_t<T>;

  TS_INLINE Access(std::uintptr_t address, View<Memory>* view) : address_(address), view_(view) {}
  Access(Access const&) = delete;

  TS_INLINE operator Value() && { return load(); }
  /// Values of a class type convert further, as they would from a reference.
  template <class U>
    requires(!std::is_same_v<U, Value> && std::is_class_v<Value> && std::constructible_from<U, Value>)
  TS_INLINE explicit operator U() && { return static_cast<U>(load()); }

  TS_INLINE void operator=(Value const& value) && requires(!std::is_const_v<T>) { store(value); }
  TS_INLINE void operator=(Access&& other) && requires(!std::is_const_v<T>) { store(other.load()); }
  template <class U> TS_INLINE void operator+=(U&& u) && { store(Value(load() + std::forward<U>(u))); }
  template <class U> TS_INLINE void operator-=(U&& u) && { store(Value(load() - std::forward<U>(u))); }
  template <class U> TS_INLINE void operator*=(U&& u) && { store(Value(load() * std::forward<U>(u))); }
  template <class U> TS_INLINE void operator/=(U&& u) && { store(Value(load() / std::forward<U>(u))); }

 private:
  TS_INLINE Value load() const {
    alignas(Value) unsigned char bits[sizeof(Value)];
    read<sizeof(T)>(view_, address_, bits, true);
    return __builtin_bit_cast(Value, bits);
  }
  TS_INLINE void store(Value const& value) const {
    static_assert(!std::is_const_v<T>, "this pointer only reads");
    write<sizeof(T)>(view_, address_, &value, true);
  }

  std::uintptr_t address_;
  View<Memory>* view_;
};

}  // namespace tilestep::virtual_gpu
