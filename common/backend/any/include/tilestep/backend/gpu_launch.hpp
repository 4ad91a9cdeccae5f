#pragma once
// Starts a kernel on a GPU: `launch(MyKernel{}, blocks, params)`. Everything that does not depend on the kernel's type
// is compiled once in the runtime. Read <tilestep/backend/launch.hpp> instead: it has the function that the GPU starts,
// which is not the same for both vendors.

#include <tilestep/backend/kernel_properties.hpp>  // Argument, shared_bytes
#include <tilestep/backend/runtime.hpp>            // launches are recorded as KernelReports

#include <cstdint>      // std::int64_t
#include <type_traits>  // std::is_empty_v
#include <typeinfo>     // the name of a kernel that states none

namespace tilestep {

namespace detail {

// A launch, without the types.
struct LaunchRequest {
  void const* entry;           // the function the GPU starts
  char const* name;            // the kernel's own, or its mangled type
  bool is_mangled;
  std::int64_t blocks;
  int threads;
  std::int64_t shared_bytes;   // all of the kernel's shared memory
  std::int64_t dynamic_bytes;  // the part that is given at launch
  int cluster;                 // blocks that run together
  char const* only_on;         // the only target that has its instructions, or null
  bool overlaps;               // it may begin while the kernel before it ends
};

void launch_kernel(LaunchRequest const& request, void* argument);

template <class Kernel>
concept HasName = requires { Kernel::name; };

}  // namespace detail

/// Runs `blocks` blocks of the kernel and returns without waiting; its report comes with take_reports(). No blocks: no
/// launch.
/// @par Errors  bad_input: more blocks than a grid can have, or a part of a cluster; not_here: too little shared memory
///     on the device, or it is not the kernel's `only_on`
template <class Kernel, class Params>
void launch(Kernel const&, [[maybe_unused]] std::int64_t blocks, [[maybe_unused]] Params const& params) {
  static_assert(std::is_empty_v<Kernel>, "a kernel carries no state: put what it needs in its parameters");
  static_assert(std::is_trivially_copyable_v<Params>,
                "kernel parameters are copied bit by bit: keep them trivially copyable");
  static_assert(std::is_trivially_default_constructible_v<typename Kernel::Shared>,
                "shared memory starts uninitialised: members of Shared have no initialisers");
  static_assert(Kernel::threads >= 1 && Kernel::threads <= 1024, "a block has 1 to 1024 threads");
  static_assert(detail::cluster_blocks<Kernel>() >= 1 && detail::cluster_blocks<Kernel>() <= 8,
                "a cluster has 1 to 8 blocks");
  static_assert(sizeof(detail::Argument<Params>) <= 4096, "kernel parameters have at most 4096 bytes: pass a pointer");
#if defined(__CUDACC__) || defined(__HIP__)
  detail::LaunchRequest request{};
  request.entry = reinterpret_cast<void const*>(&detail::kernel_entry<Kernel, Params>);
  if constexpr (detail::HasName<Kernel>) {
    request.name = Kernel::name;
  } else {
    request.name = typeid(Kernel).name();
    request.is_mangled = true;
  }
  request.blocks = blocks;
  request.threads = Kernel::threads;
  request.shared_bytes = detail::shared_bytes<Kernel>;
  request.dynamic_bytes = detail::shared_is_dynamic<Kernel> ? detail::shared_bytes<Kernel> : 0;
  request.cluster = detail::cluster_blocks<Kernel>();
  request.only_on = detail::only_target<Kernel>();
  request.overlaps = detail::overlaps<Kernel>();
  detail::Argument<Params> argument{params};
  detail::launch_kernel(request, &argument);
#else
  static_assert(sizeof(Kernel) == 0,
                "this file launches a kernel: name it in tilestep_kernel_sources() so that it is compiled for GPUs");
#endif
}

}  // namespace tilestep
