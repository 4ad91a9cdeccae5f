#pragma once
// Which instruction of a kernel an access is. A GPU has the functions of a kernel inlined, so the same line called from
// two branches is two instructions, which no warp executes as one. A CPU's compiler leaves some of them calls: here an
// instruction is the whole path of calls from the kernel's start to the access.

#include <tilestep/backend/virtual_gpu/call_site.hpp>  // call_site

#include <cstdint>  // std::uintptr_t

namespace tilestep::virtual_gpu {

/// A frame on the stack as x86-64 and AArch64 lay it out where frame pointers are kept: the caller's frame, and the
/// address in the caller to which the call returns.
struct Frame {
  Frame const* caller;
  std::uintptr_t return_address;
};

/// Calls visit(address to which the call returns) for all calls from `to` to `from`, the last of them first. On CPUs
/// with other frames it visits that one alone; in WebAssembly the number of the place that was noted.
/// @param from  the frame of the function that records the access, which is not inlined
/// @param to  the frame of the function that starts the kernel
template <class Visit>
inline void for_each_call([[maybe_unused]] Frame const* from, [[maybe_unused]] Frame const* to, Visit&& visit) {
#if defined(__wasm__)
  return visit(call_site);
#endif
  visit(from->return_address);
#if defined(__x86_64__) || defined(__aarch64__)
  for (Frame const* frame = from->caller; frame > from && frame < to; frame = frame->caller) {
    visit(frame->return_address);
    from = frame;
  }
#endif
}

/// One number for these calls. Two paths have the same number by chance, one in 2^63.
inline void const* call_path(Frame const* from, Frame const* to) {
  std::uintptr_t path = 0;
  for_each_call(from, to, [&](std::uintptr_t return_address) {
    path = (path << 7 | path >> (sizeof(path) * 8 - 7)) * 0x9e3779b97f4a7c15u + return_address;
  });
  return reinterpret_cast<void const*>(path | 1);  // never null
}

}  // namespace tilestep::virtual_gpu
