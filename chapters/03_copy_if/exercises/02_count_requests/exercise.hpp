#pragma once
// The exercise: predict how many load requests a window makes that sticks out. The chapter's kernel copies a window of
// 40 x 40 floats that begins at (-8,20) of a source of 64 x 64, on sm80, where a warp has 32 threads. Blocks have tiles
// of 32 x 32 and 8 x 32 threads, so each warp stands side by side along a row. A warp makes a request when at least one
// of its threads loads.

#include <cstdint>  // std::int64_t

namespace tilestep {

/// Load requests of all warps in one launch.
inline std::int64_t const answer = 0;

}  // namespace tilestep
