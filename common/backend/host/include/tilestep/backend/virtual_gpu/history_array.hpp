#pragma once
// The histories of an array, one per element. A kernel may look at the same memory as smaller elements; then every
// history is split, so that neighbours within an element are never mistaken for one another.

#include <tilestep/backend/macros.hpp>                   // TS_INLINE
#include <tilestep/backend/virtual_gpu/history.hpp>       // History
#include <tilestep/backend/virtual_gpu/zeroed_array.hpp>  // ZeroedArray

#include <bit>      // std::countr_zero
#include <cstdint>  // std::int64_t

namespace tilestep::virtual_gpu {

class HistoryArray {
 public:
  HistoryArray() = default;
  HistoryArray(std::int64_t bytes, std::int64_t element_size)
      : shift_(std::countr_zero(std::uint64_t(element_size))), cells_(std::size_t((bytes >> shift_) + 1)) {}

  explicit operator bool() const { return bool(cells_); }

  /// Calls visit(history, offset, size) for each history of the access: its place and size in bytes. The access covers
  /// them whole.
  template <class Visit>
  TS_INLINE void for_each(std::int64_t offset, int bytes, Visit&& visit) {
    std::int64_t const mask = (std::int64_t(1) << shift_) - 1;
    if (((offset | bytes) & mask) != 0) [[unlikely]] split(std::countr_zero(std::uint64_t(offset | bytes)));
    std::int64_t const first = offset >> shift_, last = (offset + bytes - 1) >> shift_;
    for (std::int64_t i = first; i <= last; ++i) visit(cells_[std::size_t(i)], i << shift_, 1 << shift_);
  }

 private:
  void split(int shift) {
    ZeroedArray<History> finer(cells_.size() << (shift_ - shift));
    for (std::size_t i = 0; i < finer.size(); ++i) finer[i] = cells_[i >> (shift_ - shift)];
    cells_ = std::move(finer);
    shift_ = shift;
  }

  int shift_ = 0;  // log2 of the bytes of one history
  ZeroedArray<History> cells_;
};

}  // namespace tilestep::virtual_gpu
