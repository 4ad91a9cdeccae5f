#pragma once
// Pointers that know their memory. A kernel reaches global and shared memory through these two types alone: the tag
// lets an algorithm choose the right copy, and `load<VEC>` is one access of the hardware. Here each access is checked
// and counted first.

#include <tilestep/backend/macros.hpp>                 // TS_HOST_DEVICE, TS_DEVICE, TS_INLINE
#include <tilestep/backend/memory.hpp>                 // GlobalMemory, SharedMemory
#include <tilestep/backend/virtual_gpu/access.hpp>     // one access: read, write, the proxy Access
#include <tilestep/backend/virtual_gpu/current.hpp>    // the thread that runs
#include <tilestep/backend/virtual_gpu/unwritten.hpp>  // registers that nobody wrote

#include <cstdint>      // std::int64_t, std::uintptr_t
#include <type_traits>  // std::is_same_v

namespace tilestep {

namespace virtual_gpu {

/// A T in global or shared memory. Offsets are in elements and have 64 bits; only an access checks where they lead.
template <class T, class Memory>
class Pointer {
  static_assert(sizeof(T) <= 16 && (sizeof(T) & (sizeof(T) - 1)) == 0, "an element has 1, 2, 4, 8 or 16 bytes");

 public:
  using value_type = T;
  using memory = Memory;
  using View = virtual_gpu::View<Memory>;

  Pointer() = default;
  explicit Pointer(std::uintptr_t address, View* view) : address_(address), view_(view) {}
  template <class U>
    requires(std::is_same_v<U const, T>)
  Pointer(Pointer<U, Memory> other) : address_(other.address()), view_(other.view()) {}  // to a pointer that only reads

  [[nodiscard]] T* get() const { return reinterpret_cast<T*>(address_); }
  [[nodiscard]] std::uintptr_t address() const { return address_; }
  [[nodiscard]] View* view() const { return view_; }

  TS_INLINE Pointer operator+(std::int64_t i) const { return Pointer(address_ + std::uintptr_t(i) * sizeof(T), view_); }
  TS_INLINE Pointer operator-(std::int64_t i) const { return Pointer(address_ - std::uintptr_t(i) * sizeof(T), view_); }
  TS_INLINE Pointer& operator+=(std::int64_t i) { return *this = *this + i; }
  TS_INLINE Access<T, Memory> operator[](std::int64_t i) const {
    return Access<T, Memory>(address_ + std::uintptr_t(i) * sizeof(T), view_);
  }
  TS_INLINE Access<T, Memory> operator*() const { return Access<T, Memory>(address_, view_); }
  friend bool operator==(Pointer a, Pointer b) { return a.address_ == b.address_; }

 private:
  std::uintptr_t address_ = 0;
  View* view_ = nullptr;
};

}  // namespace virtual_gpu

/// A T in device memory.
template <class T>
using GlobalPtr = virtual_gpu::Pointer<T, GlobalMemory>;

/// A T in the block's shared memory.
template <class T>
using SharedPtr = virtual_gpu::Pointer<T, SharedMemory>;

template <class T>
TS_HOST_DEVICE GlobalPtr<T> global(T* raw) {
  auto const address = reinterpret_cast<std::uintptr_t>(raw);
  return GlobalPtr<T>(address, virtual_gpu::find_view(address, std::is_const_v<T>));
}

/// N elements of shared memory: a member of a kernel's `Shared`. Nothing initialises them.
template <class T, int N>
struct alignas(128) SharedArray {
  T elements[N];
};

/// The first element of a shared array. The name is for messages.
template <class T, int N>
TS_DEVICE SharedPtr<T> shared(SharedArray<T, N>& array, char const* name = "") {
  auto const address = reinterpret_cast<std::uintptr_t>(&array);
  return SharedPtr<T>(address,
                      virtual_gpu::find_view(address, std::int64_t(N) * std::int64_t(sizeof(T)), sizeof(T), name));
}

/// The same memory, read as elements of type U.
template <class U, class T, class Memory>
TS_HOST_DEVICE virtual_gpu::Pointer<U, Memory> recast(virtual_gpu::Pointer<T, Memory> ptr) {
  return virtual_gpu::Pointer<U, Memory>(ptr.address(), ptr.view());
}

/// Reads VEC elements into registers in one access; without its predicate nothing is read and the lane counts as
/// inactive.
/// @pre the address is a multiple of VEC * sizeof(T)
template <int VEC, class T, class Memory>
TS_DEVICE TS_INLINE void load_if(virtual_gpu::Pointer<T, Memory> ptr, std::remove_const_t<T>* registers, bool pred) {
  static_assert(VEC >= 1 && VEC * sizeof(T) <= 16 && (VEC & (VEC - 1)) == 0, "one access has 1, 2, 4, 8 or 16 bytes");
  virtual_gpu::read<int(VEC * sizeof(T))>(ptr.view(), ptr.address(), registers, pred);
}
template <int VEC, class T, class Memory>
TS_DEVICE TS_INLINE void load(virtual_gpu::Pointer<T, Memory> ptr, std::remove_const_t<T>* registers) {
  load_if<VEC>(ptr, registers, true);
}

/// Reads VEC elements of a tile into registers in one access, or zeros where `pred` is false.
/// @param offset  of the access in the tile, in elements, from where `tile` points
/// @pre the address is a multiple of VEC * sizeof(T)
template <int VEC, class T, class Pred>
TS_DEVICE TS_INLINE void load_or_zero(GlobalPtr<T> tile, std::int64_t offset, std::remove_const_t<T>* registers,
                                      Pred pred) {
  for (int i = 0; i < VEC; ++i) registers[i] = std::remove_const_t<T>{};
  load_if<VEC>(tile + offset, registers, bool(pred));
}

/// Writes VEC elements from registers in one access; without its predicate nothing is written and the lane counts as
/// inactive.
/// @pre the address is a multiple of VEC * sizeof(T)
template <int VEC, class T, class Memory>
TS_DEVICE TS_INLINE void store_if(virtual_gpu::Pointer<T, Memory> ptr, T const* registers, bool pred) {
  static_assert(!std::is_const_v<T>, "this pointer only reads");
  static_assert(VEC >= 1 && VEC * sizeof(T) <= 16 && (VEC & (VEC - 1)) == 0, "one access has 1, 2, 4, 8 or 16 bytes");
  virtual_gpu::write<int(VEC * sizeof(T))>(ptr.view(), ptr.address(), registers, pred);
}
template <int VEC, class T, class Memory>
TS_DEVICE TS_INLINE void store(virtual_gpu::Pointer<T, Memory> ptr, T const* registers) {
  store_if<VEC>(ptr, registers, true);
}

/// Messages print coordinates of the tensors that are described: make_tensor() does it.
inline constexpr bool describes_tensors = true;

/// A tensor of this shape and these strides (in elements) starts at ptr.
/// @param numbers  mode of the coordinate -> how many of the `rank` extents it has; null: one
/// @param unswizzle  from an element's place to where the strides put it; null: it is there
template <class T, class Memory>
void describe(virtual_gpu::Pointer<T, Memory> ptr, int rank, std::int64_t const* shape, std::int64_t const* stride,
              int const* numbers = nullptr, std::int64_t (*unswizzle)(std::int64_t) = nullptr) {
  virtual_gpu::describe(ptr.view(), ptr.address(), {int(sizeof(T)), rank, shape, stride, numbers, unswizzle});
}

/// `count` registers from `first` on begin: nobody wrote them yet.
template <class Ptr>
void begin_registers(Ptr first, int count) {
  using T = typename Ptr::value_type;
  if constexpr (std::is_trivially_copyable_v<T> && !std::is_same_v<T, bool>) {
    if (virtual_gpu::current != nullptr && virtual_gpu::current->check)
      virtual_gpu::fill_unwritten(first.get(), count * int(sizeof(T)));
  }
}

/// Arithmetic uses the value that `value` points to. @param where  for messages: "axpby"
template <class Ptr>
void note_use(Ptr value, char const* where) {
  virtual_gpu::note_call_site();
  if (virtual_gpu::current != nullptr && virtual_gpu::current->check)
    virtual_gpu::check_use(value.get(), int(sizeof(typename Ptr::value_type)), where);
}

}  // namespace tilestep
