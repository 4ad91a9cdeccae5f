#pragma once
// What a kernel says about itself, for the function that a GPU starts.

#include <cstdint>      // std::int64_t
#include <type_traits>  // std::is_empty_v

namespace tilestep::detail {

template <class Kernel>
inline constexpr std::int64_t shared_bytes =
    std::is_empty_v<typename Kernel::Shared> ? 0 : sizeof(typename Kernel::Shared);

// Blocks that a multiprocessor should hold at once: a kernel's `resident_blocks`, 1 if it states none.
template <class Kernel>
constexpr int resident_blocks() {
  if constexpr (requires { Kernel::resident_blocks; }) return Kernel::resident_blocks;
  else return 1;
}

// Blocks of a cluster: a kernel's `cluster`, 1 if it states none.
template <class Kernel>
constexpr int cluster_blocks() {
  if constexpr (requires { Kernel::cluster; }) return Kernel::cluster;
  else return 1;
}

// The only target that has the kernel's instructions: a kernel's `only_on`, null if it states none.
template <class Kernel>
constexpr char const* only_target() {
  if constexpr (requires { Kernel::only_on; }) return Kernel::only_on;
  else return nullptr;
}

// Does the kernel begin while the one before it ends? It says `overlaps = true`, and calls begin_among_kernels() before
// it touches global memory.
template <class Kernel>
constexpr bool overlaps() {
  if constexpr (requires { Kernel::overlaps; }) return Kernel::overlaps;
  else return false;
}

// Parameters travel as a member: CUDA takes no empty class, and HIP does not see one in the same place on both sides.
template <class Params>
struct Argument {
  Params params;
};

}  // namespace tilestep::detail
