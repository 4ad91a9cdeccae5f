#pragma once
// Call sites in WebAssembly, which shows no program its return addresses. Each place that calls the virtual GPU has a
// number there, and notes it before its call: copies that a compiler inlines or unrolls have numbers of their own, as
// they have addresses on a CPU. On a CPU these functions do nothing.

#include <cstdint>          // std::uintptr_t
#include <source_location>  // where a function was called

namespace tilestep::virtual_gpu {

#if defined(__wasm__)
#ifndef TILESTEP_CALL_SITES
#define TILESTEP_CALL_SITES 0  // the number of this file in its program: files with kernels want different ones
#endif

inline constexpr int call_site_mark = 0x7ca11000;  // stands before each number in the code: a tool finds them by it
inline std::uintptr_t call_site = 0;               // an even number; 0: not known

[[gnu::always_inline]] inline void note_call_site() {
  std::uint32_t number;
  asm volatile("i32.const %1\n\tdrop\n\ti32.const %=\n\tlocal.set %0"
               : "=r"(number)
               : "i"(call_site_mark + TILESTEP_CALL_SITES));
  call_site = 2 * ((TILESTEP_CALL_SITES << 16) + number + 1);
}
/// The same of a function that is told where it is called: a number beyond those of other places.
inline void note_place(std::source_location const& place) {
  call_site = 0x40000000 | (place.line() << 11 & 0x3ffff800) | (place.column() << 1 & 0x7fe);
}
inline void forget_call_site() { call_site = 0; }
#else
inline void note_call_site() {}
inline void note_place(std::source_location const&) {}
inline void forget_call_site() {}
#endif

}  // namespace tilestep::virtual_gpu
