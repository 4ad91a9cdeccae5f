// What a measurement asks of an AMD GPU: properties, and the amdgpu driver's files for clocks and power, which the
// runtime does not tell.

#include <tilestep/backend/check.hpp>    // TS_CHECK
#include <tilestep/backend/measure.hpp>  // what is implemented here
#include <tilestep/backend/runtime.hpp>  // require_device

#include <sys/utsname.h>  // uname

#include <array>       // the bus address
#include <cctype>      // std::tolower
#include <filesystem>  // the driver's folder
#include <fstream>     // its files

namespace tilestep {

namespace {

// The folder of the driver's sensors: /sys/bus/pci/devices/ADDRESS/hwmon/hwmonN.
std::filesystem::path sensors() {
  require_device();
  std::array<char, 32> bus{};
  int device = 0;
  TS_CHECK(hipGetDevice(&device));
  TS_CHECK(hipDeviceGetPCIBusId(bus.data(), int(bus.size()), device));
  std::string address = bus.data();
  for (char& each : address) each = char(std::tolower(each));
  std::error_code ignored;  // no such folder: no sensors
  for (auto const& entry : std::filesystem::directory_iterator("/sys/bus/pci/devices/" + address + "/hwmon", ignored)) {
    return entry.path();
  }
  return {};
}

// The number in a file of the sensors, in units of `unit`.
std::optional<double> sensor(std::filesystem::path const& folder, char const* file, double unit) {
  double value = 0;
  if (folder.empty() || !(std::ifstream(folder / file) >> value)) return {};
  return value * unit;
}

// The version of the driver as a module of its own, or of the kernel that it is a part of.
std::string driver_version() {
  std::string version;
  if (std::ifstream("/sys/module/amdgpu/version") >> version) return version;
  utsname system{};
  return uname(&system) == 0 ? "Linux " + std::string(system.release) : "unknown";
}

}  // namespace

DeviceFacts device_facts() {
  require_device();
  DeviceFacts facts;
  facts.driver = driver_version();
  facts.toolkit = "HIP " + std::to_string(HIP_VERSION_MAJOR) + "." + std::to_string(HIP_VERSION_MINOR);
  facts.units = machine().compute_units;
  facts.l2_bytes = machine().l2_bytes;
  return facts;
}

DeviceState device_state() {
  std::filesystem::path const folder = sensors();
  std::optional<double> power = sensor(folder, "power1_average", 1e-6);
  if (!power) power = sensor(folder, "power1_input", 1e-6);
  return {sensor(folder, "freq1_input", 1e-6), sensor(folder, "freq2_input", 1e-6), power,
          sensor(folder, "temp1_input", 1e-3)};
}

}  // namespace tilestep
