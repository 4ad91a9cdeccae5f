#pragma once
// Undoes what a launch wrote to global memory: each page is kept before its first write.

#include <tilestep/backend/virtual_gpu/zeroed_array.hpp>  // ZeroedArray

#include <algorithm>  // std::min
#include <atomic>     // workers share the pages
#include <cstdint>    // std::int64_t
#include <cstring>    // std::memcpy
#include <mutex>      // one worker keeps a page
#include <vector>     // the kept pages

namespace tilestep::virtual_gpu {

/// The old contents of the memory at `begin`, as far as a launch changed them.
class Rollback {
 public:
  static constexpr std::int64_t page_bytes = 1 << 16;

  Rollback(unsigned char* begin, std::int64_t bytes)
      : begin_(begin), bytes_(bytes), is_kept_(std::size_t((bytes + page_bytes - 1) / page_bytes)) {}

  /// Call before writing.
  void keep(std::int64_t offset, std::int64_t bytes) {
    for (std::int64_t page = offset / page_bytes; page <= (offset + bytes - 1) / page_bytes; ++page) {
      if (is_kept_[std::size_t(page)].load(std::memory_order_acquire) == 0) keep_page(page);
    }
  }

  void undo() {
    for (Page const& page : pages_) std::memcpy(begin_ + page.first, page.contents.data(), page.contents.size());
  }

 private:
  struct Page {
    std::int64_t first;
    std::vector<unsigned char> contents;
  };

  void keep_page(std::int64_t page) {
    std::lock_guard const lock(mutex_);
    if (is_kept_[std::size_t(page)].load(std::memory_order_relaxed) != 0) return;
    std::int64_t const first = page * page_bytes, last = std::min(bytes_, first + page_bytes);
    pages_.push_back({first, std::vector<unsigned char>(begin_ + first, begin_ + last)});
    is_kept_[std::size_t(page)].store(1, std::memory_order_release);
  }

  unsigned char* begin_;
  std::int64_t bytes_;
  ZeroedArray<std::atomic<unsigned char>> is_kept_;
  std::mutex mutex_;
  std::vector<Page> pages_;
};

}  // namespace tilestep::virtual_gpu
