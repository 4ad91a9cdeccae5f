#pragma once
// Which line of a kernel an instruction is, for messages: the program's own line tables say it, where it was compiled
// with them (TILESTEP_LINES).

#include <cstdint>  // std::uintptr_t
#include <string>   // std::string
#include <vector>   // std::vector

namespace tilestep::virtual_gpu {

/// "kernel.hpp:36": the innermost line outside of the library. Empty where no line is known.
/// @param calls  the addresses to which the calls return, the innermost first
std::string source_line(std::vector<std::uintptr_t> const& calls);

}  // namespace tilestep::virtual_gpu
