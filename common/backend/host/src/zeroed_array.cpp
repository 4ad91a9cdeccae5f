// Where arrays of zeros come from. A launch gives back what the next one takes: to have pages from the operating system
// costs more than to clear them, and to return them stops the process's other threads.

#include <tilestep/backend/virtual_gpu/zeroed_array.hpp>  // what is implemented here

#include <sys/mman.h>  // mmap: pages without a reservation

#include <cstring>  // std::memset
#include <map>      // free memory by size
#include <mutex>    // blocks run on several threads
#include <new>      // std::bad_alloc
#include <vector>   // free memory of one size

namespace tilestep::virtual_gpu {

namespace {

constexpr std::size_t largest_kept = std::size_t(8) << 20;  // of a larger array a launch may touch a few pages
constexpr std::size_t most_kept = std::size_t(128) << 20;

struct Kept {
  std::mutex mutex;
  std::map<std::size_t, std::vector<void*>> of_size;
  std::size_t bytes = 0;
};
// Never destroyed: device memory may outlive static objects.
Kept& kept() {
  static Kept* const the_kept = new Kept;
  return *the_kept;
}

// One that is kept, or nullptr.
void* take_kept(std::size_t bytes) {
  std::lock_guard const lock(kept().mutex);
  auto const found = kept().of_size.find(bytes);
  if (found == kept().of_size.end() || found->second.empty()) return nullptr;
  void* const memory = found->second.back();
  found->second.pop_back();
  kept().bytes -= bytes;
  return memory;
}

}  // namespace

void* take_zeros(std::size_t bytes) {
  if (void* const memory = take_kept(bytes)) return std::memset(memory, 0, bytes);
  int const flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  return memory;
}

void give_back_zeros(void* memory, std::size_t bytes) {
  if (bytes <= largest_kept) {
    std::lock_guard const lock(kept().mutex);
    if (kept().bytes + bytes <= most_kept) {
      kept().of_size[bytes].push_back(memory);
      kept().bytes += bytes;
      return;
    }
  }
  munmap(memory, bytes);
}

}  // namespace tilestep::virtual_gpu
