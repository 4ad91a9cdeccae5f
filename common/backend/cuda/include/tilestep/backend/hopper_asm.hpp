#pragma once
// How Hopper's own instructions are written: in code for sm_90a they are there, in code for any other GPU a kernel that
// comes to one stops. launch() does not let it come so far: such a kernel says `only_on = "sm90"`.

#include <tilestep/backend/macros.hpp>          // TS_DEVICE
#include <tilestep/backend/shared_pointer.hpp>  // SharedPtr

#include <cstdint>  // std::uint32_t

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
#define TS_HOPPER(...) asm volatile(__VA_ARGS__)
#elif defined(__CUDA_ARCH__)
#define TS_HOPPER(...) __trap()
#else
#define TS_HOPPER(...) static_cast<void>(0)
#endif

namespace tilestep::detail {

/// The address in shared memory, of 32 bits.
template <class T>
TS_HOST_DEVICE TS_INLINE std::uint32_t shared_address([[maybe_unused]] SharedPtr<T> ptr) {
#if defined(__CUDA_ARCH__)
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(ptr.get()));
#else
  return 0;
#endif
}

}  // namespace tilestep::detail
