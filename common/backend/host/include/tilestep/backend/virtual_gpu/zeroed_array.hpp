#pragma once
// An array of zeros that costs nothing until it is touched: the operating system gives pages at the first access.
// Records about device memory are as large as the memory itself, and most kernels touch a part.

#include <cstddef>      // std::size_t
#include <cstdlib>      // std::calloc, std::free
#include <memory>       // std::unique_ptr
#include <new>          // std::bad_alloc
#include <type_traits>  // std::is_trivially_destructible_v

namespace tilestep::virtual_gpu {

template <class T>
class ZeroedArray {
  static_assert(std::is_trivially_destructible_v<T>, "elements begin as zero bytes and end without a destructor");

 public:
  ZeroedArray() = default;
  explicit ZeroedArray(std::size_t size)
      : data_(static_cast<T*>(std::calloc(size == 0 ? 1 : size, sizeof(T)))), size_(size) {
    if (data_ == nullptr) throw std::bad_alloc();
  }
  [[nodiscard]] T* data() const { return data_.get(); }
  [[nodiscard]] std::size_t size() const { return size_; }
  T& operator[](std::size_t i) const { return data_.get()[i]; }
  explicit operator bool() const { return data_ != nullptr; }
  void reset() { *this = ZeroedArray(); }

 private:
  struct Free {
    void operator()(T* memory) const { std::free(memory); }
  };
  std::unique_ptr<T, Free> data_;
  std::size_t size_ = 0;
};

}  // namespace tilestep::virtual_gpu
