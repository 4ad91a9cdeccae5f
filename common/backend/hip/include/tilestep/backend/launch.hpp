#pragma once
// Starts a kernel: `launch(MyKernel{}, blocks, params)`. A kernel is a struct with `threads`, `Shared` and a call
// operator; the function the GPU starts is made from it here, and everything that does not depend on its type is
// compiled once in the runtime.

#include <tilestep/backend/kernel.hpp>   // NoShared
#include <tilestep/backend/macros.hpp>   // TS_DEVICE
#include <tilestep/backend/runtime.hpp>  // launches are recorded as KernelReports

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
};

void launch_kernel(LaunchRequest const& request, void* argument);

// More static shared memory than this does not compile for most targets; a launch may give more where the target has
// more.
inline constexpr std::int64_t most_static_shared_bytes = 64 * 1024;

template <class Kernel>
inline constexpr std::int64_t shared_bytes =
    std::is_empty_v<typename Kernel::Shared> ? 0 : sizeof(typename Kernel::Shared);

template <class Kernel>
inline constexpr bool shared_is_dynamic = shared_bytes<Kernel> > most_static_shared_bytes;

// Parameters travel as a member, so that an empty class has an address on both sides.
template <class Params>
struct Argument {
  Params params;
};

// Blocks that a multiprocessor should hold at once: a kernel's `resident_blocks`, 1 if it states none. The compiler counts warps on each of
// the four SIMD units instead.
template <class Kernel>
constexpr int resident_blocks() {
  if constexpr (requires { Kernel::resident_blocks; }) return Kernel::resident_blocks;
  else return 1;
}

#if defined(__HIP__)
template <class Kernel, class Params>
__global__ void __launch_bounds__(Kernel::threads, (resident_blocks<Kernel>() * Kernel::threads + 255) / 256) kernel_entry(Argument<Params> const argument) {
  using Shared = typename Kernel::Shared;
  if constexpr (std::is_empty_v<Shared>) {
    Shared none;
    [[clang::always_inline]] Kernel{}(none, argument.params);
  } else if constexpr (shared_is_dynamic<Kernel>) {
    alignas(128) extern __shared__ unsigned char bytes[];
    [[clang::always_inline]] Kernel{}(*reinterpret_cast<Shared*>(bytes), argument.params);
  } else {
    __shared__ Shared shared;
    [[clang::always_inline]] Kernel{}(shared, argument.params);
  }
}
#endif

template <class Kernel>
concept HasName = requires { Kernel::name; };

}  // namespace detail

/// Runs `blocks` blocks of the kernel and returns without waiting; its report comes with take_reports(). No blocks: no
/// launch.
/// @par Errors  bad_input: more blocks than a grid can have; not_here: too little shared memory on the device
template <class Kernel, class Params>
void launch(Kernel const&, std::int64_t blocks, Params const& params) {
  static_assert(std::is_empty_v<Kernel>, "a kernel carries no state: put what it needs in its parameters");
  static_assert(std::is_trivially_copyable_v<Params>,
                "kernel parameters are copied bit by bit: keep them trivially copyable");
  static_assert(std::is_trivially_default_constructible_v<typename Kernel::Shared>,
                "shared memory starts uninitialised: members of Shared have no initialisers");
  static_assert(Kernel::threads >= 1 && Kernel::threads <= 1024, "a block has 1 to 1024 threads");
  static_assert(sizeof(detail::Argument<Params>) <= 4096, "kernel parameters have at most 4096 bytes: pass a pointer");
#if defined(__HIP__)
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
  detail::Argument<Params> argument{params};
  detail::launch_kernel(request, &argument);
#else
  static_assert(sizeof(Kernel) == 0,
                "this file launches a kernel: name it in tilestep_kernel_sources() so that clang compiles it");
#endif
}

}  // namespace tilestep
