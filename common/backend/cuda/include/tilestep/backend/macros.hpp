#pragma once
// The words a function needs to be compiled for an NVIDIA GPU as well as for the CPU. An ordinary C++ compiler sees
// none of them, so the library's headers can be used in files that launch nothing.

#if defined(__CUDACC__)
#define TS_HOST_DEVICE __host__ __device__        // runs on the CPU and on the GPU
#define TS_DEVICE __device__                      // runs on the GPU
#define TS_INLINE __forceinline__                 // always inlined: what it returns stays in registers
#define TS_UNROLL _Pragma("unroll")               // the loop's count is known: registers inside keep constant indices
#define TS_NO_UNROLL _Pragma("unroll 1")          // the loop stays one: its body is long, or its order matters
#else
#define TS_HOST_DEVICE
#define TS_DEVICE
#define TS_INLINE inline __attribute__((always_inline))
#define TS_UNROLL
#define TS_NO_UNROLL
#endif

#define TS_INLINE_LAMBDA __attribute__((always_inline))  // the same, after the parameters of a lambda

// A constant object of namespace scope, to be followed by its type: device code needs a copy of its own.
#if defined(__CUDA_ARCH__)
#define TS_CONSTANT static constexpr __device__
#else
#define TS_CONSTANT inline constexpr
#endif

// Before a function for both sides that calls what it is given: nvcc need not check on which side that may run.
#if defined(__CUDACC__)
#define TS_CALLS_ANY _Pragma("nv_exec_check_disable")
#else
#define TS_CALLS_ANY
#endif

namespace tilestep {
inline constexpr bool registers_need_constants = true;  ///< what a loop indexes would lie in memory
}
