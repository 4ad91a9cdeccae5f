#pragma once
// The quick pass over global memory. A correct GEMM writes each element of C from one thread and reads A and B; for
// that, one number per element is enough: which thread of the whole grid has it. Where that is not so, nothing is
// reported yet: the launch becomes doubtful, is rolled back, and runs again with full histories.

#include <tilestep/backend/virtual_gpu/zeroed_array.hpp>  // ZeroedArray

#include <atomic>   // workers share the owners
#include <cstdint>  // std::uint64_t

namespace tilestep::virtual_gpu {

/// The owners of one allocation's elements during one launch.
class Ownership {
 public:
  Ownership() = default;
  Ownership(std::int64_t bytes, int element_shift)
      : shift_(element_shift), owners_(std::size_t(bytes >> element_shift) + 1) {}

  explicit operator bool() const { return bool(owners_); }

  /// Thread `thread` (of the grid, from 1) reads.
  /// @return false if another thread wrote there
  bool read(std::int64_t offset, int bytes, std::uint64_t thread) {
    bool alone = true;
    for_each(offset, bytes, [&](Owner& owner) {
      std::uint64_t seen = owner.load(std::memory_order_relaxed);
      while (seen >> 1 != thread && seen != many_readers) {
        if (seen & 1) {
          alone = false;
          return;
        }
        std::uint64_t const next = seen == 0 ? thread << 1 : many_readers;
        if (owner.compare_exchange_weak(seen, next, std::memory_order_relaxed)) return;
      }
    });
    return alone;
  }

  /// Thread `thread` writes. `first_time` says that it does so for the first time to one of the elements.
  /// @return false if another thread read or wrote there
  bool write(std::int64_t offset, int bytes, std::uint64_t thread, bool& first_time) {
    bool alone = true;
    std::uint64_t const mine = thread << 1 | 1;
    for_each(offset, bytes, [&](Owner& owner) {
      if (owner.load(std::memory_order_relaxed) == mine) return;
      first_time = true;
      std::uint64_t const before = owner.exchange(mine, std::memory_order_relaxed);
      alone = alone && (before == 0 || before >> 1 == thread);
    });
    return alone;
  }

  /// Calls visit(first byte, one past the last, whether it was written) for each element that was read or written, in
  /// order. @pre  no thread reads or writes
  template <class Visit>
  void for_each_touched(Visit&& visit) const {
    for (std::size_t i = 0; i < owners_.size(); ++i) {
      std::uint64_t const seen = owners_[i].load(std::memory_order_relaxed);
      if (seen != 0) visit(std::int64_t(i) << shift_, std::int64_t(i + 1) << shift_, (seen & 1) != 0);
    }
  }

  /// Has any thread written there?
  [[nodiscard]] bool was_written(std::int64_t offset, int bytes) const {
    std::int64_t const last = (offset + bytes - 1) >> shift_;
    for (std::int64_t i = offset >> shift_; i <= last; ++i) {
      if (owners_[std::size_t(i)].load(std::memory_order_relaxed) & 1) return true;
    }
    return false;
  }

 private:
  using Owner = std::atomic<std::uint64_t>;  // 0 = untouched, 2 t = read by t, 2 t + 1 = written by t
  static constexpr std::uint64_t many_readers = ~std::uint64_t(1);

  template <class Visit>
  void for_each(std::int64_t offset, int bytes, Visit&& visit) {
    std::int64_t const last = (offset + bytes - 1) >> shift_;
    for (std::int64_t i = offset >> shift_; i <= last; ++i) visit(owners_[std::size_t(i)]);
  }

  int shift_ = 0;
  ZeroedArray<Owner> owners_;
};

}  // namespace tilestep::virtual_gpu
