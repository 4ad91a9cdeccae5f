#pragma once
// A GEMM kernel in time, from what the virtual GPU records of one thread: a row for each tile along K, a column for
// each product of half a tile, and in the last row what the thread waits for.

#include <tilestep/backend/timeline.hpp>      // TimelineEvent
#include <tilestep/harness/gemm_chapter.hpp>  // GemmCall
#include <tilestep/show.hpp>                  // Grid

#include <functional>  // the chapter's launch
#include <string>      // target, kernel
#include <vector>      // events

namespace tilestep {

/// What the first thread of a kernel does for 256 x 256 x 256 in f16 whose operands lie along K.
/// @param run  launches the kernel of a problem   @param kernel  the value of --kernel
std::vector<TimelineEvent> gemm_events(std::function<void(GemmCall const&)> const& run, std::string const& target,
                                       std::string const& kernel);

/// Draws eight tiles along K of 256 x 256 x 256 in f16: when each is loaded, when it lies in shared memory, and when it
/// is multiplied.
/// @param run  launches the kernel of a problem   @param kernel  the value of --kernel
/// @pre the kernel multiplies a tile in two halves, and waits once for each tile if it copies asynchronously
Grid gemm_timeline(std::function<void(GemmCall const&)> const& run, std::string const& target,
                   std::string const& kernel);

}  // namespace tilestep
