// Reads line tables with libbacktrace. A compiler inlines most of a kernel: one address stands for a call in the
// kernel, the library's function that was called, what that calls, and so on.

#include <tilestep/backend/virtual_gpu/source_line.hpp>  // what is implemented here

#ifdef TILESTEP_READS_LINES

#include <backtrace.h>  // backtrace_pcinfo

#include <mutex>          // workers share the table
#include <string_view>    // file names
#include <thread>         // a stack that is large enough
#include <unordered_map>  // lines that are known

namespace tilestep::virtual_gpu {

namespace {

bool holds(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

// Headers of the library and of the harness, installed or not, of the C++ library and of the system; and the backend,
// which calls kernels.
bool is_library(std::string_view file) {
  return holds(file, "/include/tilestep/") || holds(file, "/include/tilestep-") || holds(file, "/include/c++/") ||
         (holds(file, "/harness/tilestep/") && file.ends_with(".hpp")) || holds(file, "/common/backend/host/src/") ||
         file.starts_with("/usr/include/") || file.starts_with("/usr/lib/");
}

void ignore_error(void*, char const*, int) {}

// Keeps the first line that is not the library's.
int keep_line(void* result, std::uintptr_t, char const* file, int line, char const*) {
  if (file == nullptr || line == 0 || is_library(file)) return 0;
  std::string_view name = file;
  name.remove_prefix(name.find_last_of('/') + 1);
  *static_cast<std::string*>(result) = std::string(name) + ":" + std::to_string(line);
  return 1;
}

std::string read_line(std::uintptr_t return_address) {
  static backtrace_state* const program = backtrace_create_state(nullptr, 0, ignore_error, nullptr);
  std::string line;
  if (program != nullptr) backtrace_pcinfo(program, return_address - 1, keep_line, ignore_error, &line);
  return line;
}

}  // namespace

std::string source_line(std::vector<std::uintptr_t> const& calls) {
  static std::mutex mutex;
  static std::unordered_map<std::uintptr_t, std::string> known;
  std::lock_guard const lock(mutex);
  for (std::uintptr_t const address : calls) {
    auto at = known.find(address);
    if (at == known.end()) {
      at = known.emplace(address, "").first;
      // Kernels run on small stacks, and libbacktrace calls itself once for each level of inlining.
      std::thread([&] { at->second = read_line(address); }).join();
    }
    if (!at->second.empty()) return at->second;
  }
  return {};
}

}  // namespace tilestep::virtual_gpu

#else

namespace tilestep::virtual_gpu {

std::string source_line(std::vector<std::uintptr_t> const&) { return {}; }

}  // namespace tilestep::virtual_gpu

#endif
