#pragma once
// The words a function needs to be compiled for an AMD GPU as well as for the CPU. An ordinary C++ compiler sees none
// of them, so the library's headers can be used in files that launch nothing.

#if defined(__HIP__)
#include <hip/hip_runtime.h>  // __host__, __device__, __global__, __shared__, threadIdx, blockIdx

#define TS_HOST_DEVICE __host__ __device__                         // runs on the CPU and on the GPU
#define TS_DEVICE __device__                                       // runs on the GPU
#define TS_INLINE inline __attribute__((always_inline))            // what it returns stays in registers
#define TS_UNROLL _Pragma("unroll")                                // registers inside the loop keep constant indices
#define TS_NO_UNROLL _Pragma("nounroll")  // the loop stays one: its body is long, or its order matters
#else
#define TS_HOST_DEVICE
#define TS_DEVICE
#define TS_INLINE inline __attribute__((always_inline))
#define TS_UNROLL
#define TS_NO_UNROLL
#endif

#define TS_INLINE_LAMBDA __attribute__((always_inline))  // the same, after the parameters of a lambda
#define TS_CONSTANT inline constexpr  // a constant object of namespace scope, to be followed by its type
#define TS_CALLS_ANY                   // before a function that calls what it is given; a word for nvcc

namespace tilestep {
inline constexpr bool registers_need_constants = true;  ///< what a loop indexes would lie in memory
}
