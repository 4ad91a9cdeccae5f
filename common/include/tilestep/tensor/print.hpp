#pragma once
// A tensor as text: its memory, then its layout, as CuTe prints it. Host only.

#include <tilestep/tensor/identity.hpp>  // CoordinateIterator

#include <cstdint>  // uintptr_t
#include <cstdio>   // snprintf
#include <string>   // string

namespace tilestep {

template <class Coord>
std::string to_string(CoordinateIterator<Coord> const& iterator) { return "ArithTuple" + to_string(iterator.base); }

/// `gmem_ptr[32b](0x7f..) o (2,3):(_1,2)`: the tag of the memory, the bits of an element, the address, the layout.
template <class Engine, class L>
std::string to_string(Tensor<Engine, L> const& t) {
  if constexpr (requires { to_string(t.data()); }) {
    return to_string(t.data()) + " o " + to_string(t.layout());
  } else {
    using Memory = typename Engine::memory;
    char const* const tag = std::is_same_v<Memory, GlobalMemory>   ? "gmem_ptr"
                            : std::is_same_v<Memory, SharedMemory> ? "smem_ptr"
                                                                   : "ptr";
    char text[64];
    std::uintptr_t address = 0;
    if constexpr (requires { t.data().get(); }) address = reinterpret_cast<std::uintptr_t>(t.data().get());
    else address = reinterpret_cast<std::uintptr_t>(&t.data()[0]);
    std::snprintf(text, sizeof text, "%s[%db](0x%llx)", tag, sizeof_bits_v<typename Engine::element_type>,
                  static_cast<unsigned long long>(address));
    return text + (" o " + to_string(t.layout()));
  }
}

}  // namespace tilestep
