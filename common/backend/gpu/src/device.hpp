#pragma once
// What the vendors' runtimes differ in, and what is the same: runtime.cpp. Each has a device.cpp of its own.

#include <tilestep/backend/check.hpp>    // GpuError
#include <tilestep/backend/launch.hpp>   // LaunchRequest
#include <tilestep/backend/machine.hpp>  // Machine, machine_of_device
#include <tilestep/backend/runtime.hpp>  // TargetInfo
#include <tilestep/backend/stream.hpp>   // current_stream

#include <string>  // a device's name

namespace tilestep {

/// What is asked of the device once.
struct Device {
  std::string name;
  TargetInfo const* target;
  Machine machine;  ///< with what this device says of itself
};

/// Takes the device of this number, for all that follows.
/// @par Errors  not_here: no device, or none that this backend knows
Device find_device(int number);

/// The vendor's stream that launches and copies go to.
inline GpuStream native_stream() { return static_cast<GpuStream>(current_stream().native()); }

/// Starts a kernel whose blocks run in clusters, or one that begins while the kernel before it ends.
void launch_with_attributes(detail::LaunchRequest const& request, void* argument);

/// Is this error about programs that were compiled for other devices?
bool is_wrong_device(GpuError code);

}  // namespace tilestep
