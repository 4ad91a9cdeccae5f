#pragma once
// What threads and copies of a Hopper GPU meet at: a word of shared memory that counts. An mbarrier is in a phase; the
// phase ends when as many arrivals have come as it was made for and as many bytes have landed as they announced; then
// the next one begins, and those who waited go on.

#include <cstdint>  // std::uint64_t

namespace tilestep {

/// A member of a kernel's `Shared`, in a SharedArray. mbarrier_init() makes it one.
struct Mbarrier {
  std::uint64_t bits;
};

}  // namespace tilestep
