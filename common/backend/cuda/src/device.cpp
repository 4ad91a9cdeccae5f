// The device as CUDA describes it, and what CUDA alone calls an error.

#include "device.hpp"  // what is implemented here

#include <tilestep/backend/check.hpp>          // TS_CHECK
#include <tilestep/backend/device_target.hpp>  // target_of_capability

namespace tilestep {

Device find_device(int number) {
  int count = 0;
  cudaError_t const code = cudaGetDeviceCount(&count);
  if (code == cudaErrorInsufficientDriver) {
    not_here("this machine has no NVIDIA driver for CUDA " + std::to_string(CUDART_VERSION / 1000) +
             ": run this on a machine with an NVIDIA GPU, or build the host backend");
  }
  if (code == cudaErrorNoDevice || (code == cudaSuccess && count == 0)) {
    not_here("this machine has no NVIDIA GPU: run this where there is one, or build the host backend");
  }
  detail::check(code, "cudaGetDeviceCount(&count)", __FILE__, __LINE__);

  TS_CHECK(cudaSetDevice(number));
  cudaDeviceProp properties{};
  TS_CHECK(cudaGetDeviceProperties(&properties, number));
  std::string_view runs = target_of_capability(properties.major, properties.minor);
  if (runs.empty()) {
    not_here(std::string(properties.name) + " has compute capability " + std::to_string(properties.major) + "." +
             std::to_string(properties.minor) + ": the cuda backend needs 8.0 or newer");
  }
#if !defined(TILESTEP_HAS_90A)
  if (target_info(runs).tensor_maps) runs = target_of_capability(8, 0);
#endif
  int kilohertz = 0, clusters = 0;
  TS_CHECK(cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, number));
  TS_CHECK(cudaDeviceGetAttribute(&clusters, cudaDevAttrClusterLaunch, number));
  DeviceNumbers const says{.compute_units = properties.multiProcessorCount,
                           .shared_bytes = std::int64_t(properties.sharedMemPerBlockOptin),
                           .unit_shared_bytes = std::int64_t(properties.sharedMemPerMultiprocessor),
                           .l2_bytes = properties.l2CacheSize,
                           .clock = kilohertz * 1e3,
                           .clusters = clusters != 0};
  return {properties.name, &target_info(runs), machine_of_device(properties.name, runs, says)};
}

void launch_with_attributes(detail::LaunchRequest const& request, void* argument) {
  cudaLaunchAttribute attributes[2]{};
  unsigned count = 0;
  if (request.cluster > 1) {
    attributes[count].id = cudaLaunchAttributeClusterDimension;
    attributes[count].val.clusterDim.x = unsigned(request.cluster);
    attributes[count].val.clusterDim.y = attributes[count].val.clusterDim.z = 1;
    ++count;
  }
  if (request.overlaps) {
    attributes[count].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attributes[count].val.programmaticStreamSerializationAllowed = 1;
    ++count;
  }
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(unsigned(request.blocks));
  config.blockDim = dim3(unsigned(request.threads));
  config.dynamicSmemBytes = std::size_t(request.dynamic_bytes);
  config.stream = native_stream();
  config.attrs = attributes;
  config.numAttrs = count;
  TS_CHECK(cudaLaunchKernelExC(&config, request.entry, &argument));
}

bool is_wrong_device(GpuError code) {
  return code == cudaErrorNoKernelImageForDevice || code == cudaErrorUnsupportedPtxVersion;
}

}  // namespace tilestep
