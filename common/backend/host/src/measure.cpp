// The virtual GPU's answers to what a measurement asks, by the CPU's clock.

#include <tilestep/backend/measure.hpp>  // what is implemented here
#include <tilestep/backend/runtime.hpp>  // copies
#include <tilestep/backend/stream.hpp>   // Enqueued

#include <chrono>  // the CPU's clock
#include <vector>  // the way of a copy

namespace tilestep {

struct DeviceTimer::Implementation {
  std::chrono::steady_clock::time_point started;
};

DeviceTimer::DeviceTimer() : implementation_(std::make_unique<Implementation>()) {}
DeviceTimer::~DeviceTimer() = default;

void DeviceTimer::start() { implementation_->started = std::chrono::steady_clock::now(); }

double DeviceTimer::stop() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - implementation_->started).count();
}

DeviceFacts device_facts() { return {.driver = "none", .toolkit = "none", .units = 1, .l2_bytes = 64 * 1024}; }

DeviceState device_state() { return {}; }

void copy_on_device(void* destination, void const* source, std::int64_t bytes) {
  std::vector<unsigned char> between(static_cast<std::size_t>(bytes));
  Enqueued const one("a copy on the device", {{source, bytes}}, {{destination, bytes}});
  copy_to_host(between.data(), source, bytes);
  copy_to_device(destination, between.data(), bytes);
}

}  // namespace tilestep
