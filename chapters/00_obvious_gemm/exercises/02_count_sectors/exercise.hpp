#pragma once
// The exercise: predict how many sectors one product loads. `ObviousGemm` along rows multiplies 64 x 64 x 64 floats on
// sm80, where a sector has 32 bytes. A and B are both stored along K: A(m,k) is a[64 m + k] and B(n,k) is b[64 n + k].
// All matrices begin at a sector. C is written and not read.

#include <cstdint>  // std::int64_t

namespace tilestep {

/// Sectors that the loads of all warps touch, request by request, in one launch of 4,096 threads.
inline std::int64_t const answer = 0;

}  // namespace tilestep
