#pragma once
// The kinds of memory a tensor can live in, as types. A backend's pointers carry one; algorithms dispatch on it.

namespace tilestep {

struct GlobalMemory {};    ///< device memory, seen by every block
struct SharedMemory {};    ///< shared memory (NVIDIA) or LDS (AMD), seen by one block
struct RegisterMemory {};  ///< one thread's registers: compile-time indices only
struct GenericMemory {};   ///< host memory, or a pointer that carries no tag

}  // namespace tilestep
