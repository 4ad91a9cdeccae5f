#pragma once
// The order in which instructions are issued, where a compiler would choose a worse one.

#include <tilestep/backend/issue.hpp>   // Issue
#include <tilestep/backend/macros.hpp>  // TS_DEVICE, TS_INLINE

namespace tilestep {

/// Instructions before this call are issued before those after it. nvcc keeps matrix instructions and the reads of
/// their operands as they stand.
TS_DEVICE TS_INLINE void issue_in_order() {}

/// Asks for N instructions of this kind before those that the next call names. Does nothing here: nvcc chooses.
template <Issue What, int N>
TS_DEVICE TS_INLINE void issue_next() {}

}  // namespace tilestep
