#pragma once
// What a function is compiled for. On the host every function is an ordinary one, so the words mean nothing here;
// the cuda and hip headers of the same name give them their meaning.

#define TS_HOST_DEVICE                          // runs on the CPU and on the GPU
#define TS_DEVICE                               // runs in a kernel
#define TS_UNROLL                               // unroll the next loop
#define TS_NO_UNROLL                            // leave it a loop
#define TS_INLINE inline                        // inlined on a GPU; the CPU's compiler decides, in half the time
#define TS_INLINE_LAMBDA                        // the same, after the parameters of a lambda
#define TS_CONSTANT inline constexpr            // a constant object of namespace scope, to be followed by its type
#define TS_CALLS_ANY                            // before a function that calls what it is given; a word for nvcc

namespace tilestep {
inline constexpr bool registers_need_constants = false;  ///< they are memory: a loop may index them
}
