#pragma once
// The order in which instructions are issued, where a compiler would choose a worse one.

#include <tilestep/backend/macros.hpp>  // TS_DEVICE, TS_INLINE

namespace tilestep {

/// What stands before is issued before what follows. nvcc keeps matrix instructions and the reads of their operands as they stand.
TS_DEVICE TS_INLINE void issue_in_order() {}

}  // namespace tilestep
