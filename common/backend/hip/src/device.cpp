// The device as HIP describes it, and what HIP alone calls an error.

#include "device.hpp"  // what is implemented here

#include <tilestep/backend/check.hpp>  // TS_CHECK

namespace tilestep {

namespace {

// The target a processor belongs to: "gfx942:sramecc+:xnack-" is a gfx942, gfx1101 runs what gfx1100 runs.
std::string target_name(std::string const& processor) {
  std::string const name = processor.substr(0, processor.find(':'));
  if (name.starts_with("gfx11")) return "gfx1100";
  if (name == "gfx1200") return "gfx1201";  // gfx125x has other matrix instructions
  return name;
}

}  // namespace

Device find_device() {
  int count = 0;
  hipError_t const code = hipGetDeviceCount(&count);
  if (code != hipSuccess || count == 0) {
    not_here(std::string("this machine has no AMD GPU that HIP can use (") + hipGetErrorName(code) +
             "): run this where there is one, or build the host backend");
  }
  hipDeviceProp_t properties{};
  TS_CHECK(hipGetDeviceProperties(&properties, 0));
  std::string const name = target_name(properties.gcnArchName);
  for (TargetInfo const& known : targets) {
    if (known.name != name) continue;
    return {properties.name, &known,
            described_machine(properties.name, known.name, properties.multiProcessorCount,
                              std::int64_t(properties.sharedMemPerBlock))};
  }
  not_here(std::string(properties.name) + " is a " + name +
           ": the hip backend knows gfx90a, gfx942, gfx950, gfx11, gfx1200 and gfx1201");
}

void launch_with_attributes(detail::LaunchRequest const& request, void*) {
  not_here(std::string(request.name) +
           " runs in clusters of blocks, or begins before the kernel before it has ended, which AMD GPUs do not do: "
           "choose another configuration");
}

bool is_wrong_device(GpuError code) { return code == hipErrorNoBinaryForGpu; }

}  // namespace tilestep
