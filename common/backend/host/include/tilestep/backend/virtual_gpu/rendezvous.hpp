#pragma once
// Where threads of a kernel wait for one another. A thread that comes here stops, others run, and it goes on when all
// have come.

#include <cstdint>          // std::uint64_t
#include <source_location>  // which barrier of the kernel this is

namespace tilestep::virtual_gpu {

/// Waits for all threads of the block.
void wait_for_block(std::source_location const& place);

/// Waits for all lanes of the warp.
void wait_for_warp(std::source_location const& place);

/// Waits for all lanes of the warp and returns what lane `source` brought. The lane keeps its own value if there is no
/// such lane in any warp; a lane that the block's last, partial warp lacks is a hazard.
std::uint64_t exchange_in_warp(std::uint64_t value, int source, std::source_location const& place);

}  // namespace tilestep::virtual_gpu
