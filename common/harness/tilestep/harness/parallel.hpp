#pragma once
// Independent pieces of work spread over the CPU's cores.

#include <cstdint>     // std::int64_t
#include <functional>  // the work

namespace tilestep {

/// Calls work(i) for every i in [0, count), in any order, on all cores; returns when all are done.
/// The first exception of any piece is thrown again here.
void parallel_for(std::int64_t count, std::function<void(std::int64_t)> const& work);

}  // namespace tilestep
