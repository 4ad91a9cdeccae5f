// What a measurement asks of an NVIDIA GPU: attributes, and nvidia-smi for clocks and power, which the runtime does not
// tell.

#include <tilestep/backend/check.hpp>    // TS_CHECK
#include <tilestep/backend/measure.hpp>  // what is implemented here
#include <tilestep/backend/runtime.hpp>  // require_device

#include <array>    // a line of output
#include <cstdio>   // popen
#include <cstdlib>  // std::strtod
#include <vector>   // fields

namespace tilestep {

namespace {

// The first line that nvidia-smi says about the GPUs that `which` chooses, in fields; nothing when it cannot be asked.
std::vector<std::string> first_line(std::string const& which, std::string const& fields) {
  std::string const command = "nvidia-smi " + which + " --query-gpu=" + fields +
                              " --format=csv,noheader,nounits 2>/dev/null";
  std::FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return {};
  std::string output;
  std::array<char, 256> line{};
  while (std::fgets(line.data(), int(line.size()), pipe) != nullptr) output += line.data();
  if (pclose(pipe) != 0) return {};
  std::vector<std::string> values(1);
  for (char const each : output) {
    if (each == ',') values.emplace_back();
    else if (each == '\n') break;
    else if (each != ' ' || !values.back().empty()) values.back() += each;
  }
  return values;
}

// What nvidia-smi says about this device. A machine with one GPU may know it by another bus address than the runtime
// does.
std::vector<std::string> nvidia_smi(std::string const& fields) {
  require_device();
  std::array<char, 32> bus{};
  int device = 0;
  TS_CHECK(cudaGetDevice(&device));
  TS_CHECK(cudaDeviceGetPCIBusId(bus.data(), int(bus.size()), device));
  std::vector<std::string> values = first_line("-i " + std::string(bus.data()), fields);
  int count = 0;
  TS_CHECK(cudaGetDeviceCount(&count));
  return values.empty() && count == 1 ? first_line("", fields) : values;
}

// "[N/A]" and the like are no numbers.
std::optional<double> number(std::vector<std::string> const& values, std::size_t which) {
  if (which >= values.size()) return {};
  char* end = nullptr;
  double const value = std::strtod(values[which].c_str(), &end);
  if (end == values[which].c_str()) return {};
  return value;
}

}  // namespace

DeviceFacts device_facts() {
  require_device();
  DeviceFacts facts;
  std::vector<std::string> const values = nvidia_smi("driver_version");
  facts.driver = values.empty() || values[0].empty() ? "unknown" : values[0];
  facts.toolkit = "CUDA " + std::to_string(CUDART_VERSION / 1000) + "." + std::to_string(CUDART_VERSION % 1000 / 10);
  facts.units = machine().compute_units;
  facts.l2_bytes = machine().l2_bytes;
  return facts;
}

DeviceState device_state() {
  std::vector<std::string> const values = nvidia_smi("clocks.sm,clocks.mem,power.draw,temperature.gpu");
  return {number(values, 0), number(values, 1), number(values, 2), number(values, 3)};
}

}  // namespace tilestep
