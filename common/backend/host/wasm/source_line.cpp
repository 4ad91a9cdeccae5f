// Lines of kernels in WebAssembly: a table that is made from the line tables of the linked module and linked with it.

#include <tilestep/backend/virtual_gpu/call_site_lines.hpp>  // the table
#include <tilestep/backend/virtual_gpu/source_line.hpp>      // what is implemented here

#include <algorithm>  // std::lower_bound

namespace tilestep::virtual_gpu {

std::string source_line(std::vector<std::uintptr_t> const& calls) {
  CallSiteLine const *const begin = call_site_lines, *const end = call_site_lines + call_site_line_count;
  for (std::uintptr_t const number : calls) {
    auto const before = [](CallSiteLine const& each, std::uintptr_t wanted) { return each.number < wanted; };
    auto const* const at = std::lower_bound(begin, end, number, before);
    if (at != end && at->number == number) return at->line;
  }
  return {};
}

}  // namespace tilestep::virtual_gpu
