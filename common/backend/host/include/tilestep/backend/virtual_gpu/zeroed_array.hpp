#pragma once
// An array of zeros that costs nothing until it is touched: the operating system gives pages at the first access.
// Records about device memory are larger than the memory itself, and most kernels touch a part.

#include <cstddef>      // std::size_t
#include <type_traits>  // std::is_trivially_destructible_v
#include <utility>      // std::swap

namespace tilestep::virtual_gpu {

/// Memory of zeros. Throws std::bad_alloc. @param bytes 1 or more
void* take_zeros(std::size_t bytes);
/// @param bytes that it was taken with
void give_back_zeros(void* memory, std::size_t bytes);

template <class T>
class ZeroedArray {
  static_assert(std::is_trivially_destructible_v<T>, "elements begin as zero bytes and end without a destructor");

 public:
  ZeroedArray() = default;
  explicit ZeroedArray(std::size_t size) : size_(size) { data_ = static_cast<T*>(take_zeros(bytes())); }
  ~ZeroedArray() {
    if (data_ != nullptr) give_back_zeros(data_, bytes());
  }
  ZeroedArray(ZeroedArray&& other) noexcept { swap(other); }
  ZeroedArray& operator=(ZeroedArray other) noexcept {
    swap(other);
    return *this;
  }

  [[nodiscard]] T* data() const { return data_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  T& operator[](std::size_t i) const { return data_[i]; }
  explicit operator bool() const { return data_ != nullptr; }
  void reset() { *this = ZeroedArray(); }

 private:
  [[nodiscard]] std::size_t bytes() const { return size_ == 0 ? 1 : size_ * sizeof(T); }
  void swap(ZeroedArray& other) {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
  }

  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace tilestep::virtual_gpu
