#pragma once
// A condition that only run-time values can decide. Ordinary host code throws; a kernel on the virtual GPU reports it
// as a hazard of its thread; a kernel on a GPU does not look, since the virtual GPU runs the same source.

#include <tilestep/backend/error.hpp>   // bad_input
#include <tilestep/backend/macros.hpp>  // TS_HOST_DEVICE

namespace tilestep {

namespace detail {
/// The backend's answer to a broken condition on the host.
void broken_requirement(char const* sentence);
}  // namespace detail

/// Checks `condition`; `sentence` says what failed and what would be right.
TS_HOST_DEVICE constexpr void require([[maybe_unused]] bool condition, [[maybe_unused]] char const* sentence) {
#if !defined(__CUDA_ARCH__) && !defined(__HIP_DEVICE_COMPILE__)
  if (!condition) detail::broken_requirement(sentence);
#endif
}

}  // namespace tilestep
