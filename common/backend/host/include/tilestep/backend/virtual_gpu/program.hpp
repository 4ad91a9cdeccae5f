#pragma once
// A launch without the types: what the virtual GPU needs to know to run a kernel. Everything behind it is compiled
// once.

#include <cstdint>   // std::int64_t
#include <string>    // names
#include <typeinfo>  // the name of a kernel that has no `name`

namespace tilestep::virtual_gpu {

/// One launch of a kernel.
struct Program {
  std::string name;
  std::int64_t blocks;
  int threads;
  std::int64_t shared_bytes;
  int cluster;          // blocks that run together
  bool overlaps;        // it may begin while the kernels before it run
  char const* only_on;  // the only target that has the kernel's instructions, or null
  void const* kernel;
  void const* params;
  void (*run)(void const* kernel, void* shared, void const* params);  // what one GPU thread does
};

/// Runs every block and keeps a report.
void execute(Program const& program);

/// The name of a type without namespaces and template arguments.
std::string kernel_name(std::type_info const& type);

}  // namespace tilestep::virtual_gpu
