#pragma once
// The names of CUDA, for code that both vendors share: theirs differ in the prefix alone.

#include <cuda_runtime_api.h>  // all of them

#define TS_GPU(name) cuda##name

namespace tilestep {

using GpuError = cudaError_t;
using GpuEvent = cudaEvent_t;
using GpuStream = cudaStream_t;
using GpuCopyKind = cudaMemcpyKind;
inline constexpr GpuError out_of_memory = cudaErrorMemoryAllocation;

}  // namespace tilestep
