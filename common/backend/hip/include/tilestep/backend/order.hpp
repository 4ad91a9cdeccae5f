#pragma once
// The order in which instructions are issued, where a compiler would choose a worse one.

#include <tilestep/backend/issue.hpp>   // Issue
#include <tilestep/backend/macros.hpp>  // TS_DEVICE, TS_INLINE

namespace tilestep {

/// Instructions before this call are issued before those after it. Clang moves reads of shared memory behind the matrix
/// instructions that could hide them, to save registers, or before those whose registers they could have taken.
TS_DEVICE TS_INLINE void issue_in_order() {
#if defined(__HIP_DEVICE_COMPILE__)
  __builtin_amdgcn_sched_barrier(0);
#endif
}

/// The next N instructions of What are issued before what the next call names. Calls stand behind the code that they
/// order and apply back to the last issue_in_order(); what they do not name follows in an order that the compiler
/// chooses.
/// @par Source LLVM, AMDGPUUsage: llvm.amdgcn.sched.group.barrier
template <Issue What, int N>
TS_DEVICE TS_INLINE void issue_next() {
#if defined(__HIP_DEVICE_COMPILE__)
  constexpr int mask = What == Issue::matrix        ? 0x8
                       : What == Issue::global_load ? 0x20
                       : What == Issue::shared_load ? 0x100
                                                    : 0x200;
  __builtin_amdgcn_sched_group_barrier(mask, N, 0);
#endif
}

}  // namespace tilestep
