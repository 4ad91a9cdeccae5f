#pragma once
// The lines of a module's call sites (call_path.hpp), by their numbers. docs/tools/call_sites.py writes the table.

#include <cstdint>  // std::uint32_t

namespace tilestep::virtual_gpu {

struct CallSiteLine {
  std::uint32_t number;
  char const* line;  ///< "kernel.hpp:76"
};
extern CallSiteLine const call_site_lines[];
extern int const call_site_line_count;

}  // namespace tilestep::virtual_gpu
