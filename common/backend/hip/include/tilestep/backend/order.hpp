#pragma once
// The order in which instructions are issued, where a compiler would choose a worse one.

#include <tilestep/backend/macros.hpp>  // TS_DEVICE, TS_INLINE

namespace tilestep {

/// What stands before is issued before what follows. Clang moves reads of shared memory behind the matrix instructions that could hide them, to
/// save registers, or before those whose registers they could have taken.
TS_DEVICE TS_INLINE void issue_in_order() {
#if defined(__HIP_DEVICE_COMPILE__)
  __builtin_amdgcn_sched_barrier(0);
#endif
}

}  // namespace tilestep
