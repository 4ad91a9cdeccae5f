#pragma once
// The names of HIP, for code that both vendors share: theirs differ in the prefix alone.

#include <hip/hip_runtime_api.h>  // all of them

#define TS_GPU(name) hip##name

namespace tilestep {

using GpuError = hipError_t;
using GpuEvent = hipEvent_t;
using GpuStream = hipStream_t;
using GpuCopyKind = hipMemcpyKind;
inline constexpr GpuError out_of_memory = hipErrorOutOfMemory;

}  // namespace tilestep
