#pragma once
// What the vendors' runtimes differ in, and what is the same: runtime.cpp. Each has a device.cpp of its own.

#include <tilestep/backend/check.hpp>    // GpuError
#include <tilestep/backend/launch.hpp>   // LaunchRequest
#include <tilestep/backend/runtime.hpp>  // TargetInfo

#include <cstdint>  // std::int64_t
#include <string>   // a device's name

namespace tilestep {

/// What is asked of the device once.
struct Device {
  std::string name;
  TargetInfo const* target;
  Machine machine;  ///< with this device's own units and shared memory
};

/// @par Errors  not_here: no device, or none that this backend knows
Device find_device();

/// The machine that is documented under a part of this name, or else the one that stands for the target, with what the
/// device says.
Machine described_machine(std::string const& name, std::string_view target, int units, std::int64_t shared_bytes);

/// Starts a kernel whose blocks run in clusters, or one that begins while the kernel before it ends.
void launch_with_attributes(detail::LaunchRequest const& request, void* argument);

/// Is this error about programs that were compiled for other devices?
bool is_wrong_device(GpuError code);

}  // namespace tilestep
