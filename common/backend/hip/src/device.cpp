// The device as HIP describes it, and what HIP alone calls an error.

#include "device.hpp"  // what is implemented here

#include <tilestep/backend/check.hpp>          // TS_CHECK
#include <tilestep/backend/device_target.hpp>  // target_of_processor

namespace tilestep {

Device find_device(int number) {
  int count = 0;
  hipError_t const code = hipGetDeviceCount(&count);
  if (code != hipSuccess || count == 0) {
    not_here(std::string("this machine has no AMD GPU that HIP can use (") + hipGetErrorName(code) +
             "): run this where there is one, or build the host backend");
  }
  TS_CHECK(hipSetDevice(number));
  hipDeviceProp_t properties{};
  TS_CHECK(hipGetDeviceProperties(&properties, number));
  std::string_view const runs = target_of_processor(properties.gcnArchName);
  if (runs.empty()) {
    not_here(std::string(properties.name) + " is a " + properties.gcnArchName +
             ": the hip backend knows gfx90a, gfx942, gfx950, gfx110x, gfx115x, gfx1200 and gfx1201");
  }
  DeviceNumbers const says{.compute_units = properties.multiProcessorCount,
                           .shared_bytes = std::int64_t(properties.sharedMemPerBlock),
                           .unit_shared_bytes = std::int64_t(properties.maxSharedMemoryPerMultiProcessor),
                           .l2_bytes = properties.l2CacheSize,
                           .clock = properties.clockRate * 1e3};
  return {properties.name, &target_info(runs), machine_of_device(properties.name, runs, says)};
}

void launch_with_attributes(detail::LaunchRequest const& request, void*) {
  not_here(std::string(request.name) +
           " begins before the kernel before it has ended, which AMD GPUs do not do: choose another configuration");
}

bool is_wrong_device(GpuError code) { return code == hipErrorNoBinaryForGpu; }

}  // namespace tilestep
