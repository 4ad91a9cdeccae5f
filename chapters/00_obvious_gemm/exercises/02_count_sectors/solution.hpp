#pragma once
// The solution. 4,096 threads are 128 warps, and each makes two requests for each of 64 steps of k. The 32 threads of a
// warp share m: their request for A touches one sector. Their 32 n are 32 rows of B, 256 bytes apart: 32 sectors, of
// which each request wants 4 bytes. 128 x 64 x (1 + 32) = 270,336.

#include <cstdint>  // std::int64_t

namespace tilestep {

/// Sectors that the loads of all warps touch, request by request, in one launch of 4,096 threads.
inline std::int64_t const answer = 128 * 64 * (1 + 32);

}  // namespace tilestep
