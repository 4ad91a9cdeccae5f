#pragma once
// The one use that the virtual GPU makes of mmap in WebAssembly: memory of zeros. There are no pages to wait for.

#include <cstddef>  // std::size_t
#include <cstdlib>  // std::calloc, std::free

enum { PROT_READ = 1, PROT_WRITE = 2, MAP_PRIVATE = 2, MAP_ANONYMOUS = 32, MAP_NORESERVE = 16384 };
#define MAP_FAILED (reinterpret_cast<void*>(-1))

inline void* mmap(void*, std::size_t bytes, int, int, int, long long) {
  void* const memory = std::calloc(bytes, 1);
  return memory == nullptr ? MAP_FAILED : memory;
}
inline int munmap(void* memory, std::size_t) {
  std::free(memory);
  return 0;
}
