#pragma once
// Starts a kernel: `launch(MyKernel{}, blocks, params)`. A kernel is a struct with `threads`, `Shared` and a call
// operator; here its types are stripped off, so that the virtual GPU itself is compiled once.

#include <tilestep/backend/kernel.hpp>               // NoShared
#include <tilestep/backend/kernel_properties.hpp>    // cluster_blocks, overlaps, only_target
#include <tilestep/backend/macros.hpp>               // TS_DEVICE
#include <tilestep/backend/runtime.hpp>              // launches are recorded as KernelReports
#include <tilestep/backend/virtual_gpu/program.hpp>  // Program, execute

#include <cstdint>      // std::int64_t
#include <type_traits>  // std::is_empty_v

namespace tilestep {

/// Runs `blocks` blocks of the kernel; its report comes with take_reports(). No blocks: no launch.
/// @par Errors  bad_input: more blocks than a grid can have, or a part of a cluster; not_here: the target is not the
///     kernel's `only_on`
template <class Kernel, class Params>
void launch(Kernel const& kernel, std::int64_t blocks, Params const& params) {
  using Shared = typename Kernel::Shared;
  static_assert(std::is_empty_v<Kernel>, "a kernel carries no state: put what it needs in its parameters");
  static_assert(std::is_trivially_copyable_v<Params>,
                "kernel parameters are copied bit by bit: keep them trivially copyable");
  static_assert(std::is_trivially_default_constructible_v<Shared>,
                "shared memory starts uninitialised: members of Shared have no initialisers");
  static_assert(Kernel::threads >= 1 && Kernel::threads <= 1024, "a block has 1 to 1024 threads");
  static_assert(detail::cluster_blocks<Kernel>() >= 1 && detail::cluster_blocks<Kernel>() <= 8,
                "a cluster has 1 to 8 blocks");

  virtual_gpu::Program program{};
  if constexpr (requires { Kernel::name; }) {
    program.name = Kernel::name;
  } else {
    program.name = virtual_gpu::kernel_name(typeid(Kernel));
  }
  program.blocks = blocks;
  program.threads = Kernel::threads;
  program.shared_bytes = std::is_empty_v<Shared> ? 0 : std::int64_t(sizeof(Shared));
  program.cluster = detail::cluster_blocks<Kernel>();
  program.overlaps = detail::overlaps<Kernel>();
  program.only_on = detail::only_target<Kernel>();
  program.kernel = &kernel;
  program.params = &params;
  program.run = [](void const* any_kernel, void* shared, void const* any_params) {
    (*static_cast<Kernel const*>(any_kernel))(*static_cast<Shared*>(shared), *static_cast<Params const*>(any_params));
  };
  virtual_gpu::execute(program);
}

}  // namespace tilestep
