#pragma once
// The order in which instructions are issued, where a compiler would choose a worse one.

#include <tilestep/backend/issue.hpp>   // Issue
#include <tilestep/backend/macros.hpp>  // TS_DEVICE, TS_INLINE

namespace tilestep {

/// Instructions before this call are issued before those after it. The virtual GPU's threads do one thing after the
/// other.
TS_DEVICE TS_INLINE void issue_in_order() {}

/// The next N instructions of What are issued before what the next call names. Does nothing
/// here: a thread executes in source order.
template <Issue What, int N>
TS_DEVICE TS_INLINE void issue_next() {}

}  // namespace tilestep
