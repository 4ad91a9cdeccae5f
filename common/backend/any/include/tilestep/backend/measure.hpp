#pragma once
// What a measurement asks of a device: the time between two points of its work, what it is and in which state, and the
// copy that bounds how fast its memory can be. The virtual GPU answers too, with the CPU's clock, so that all of this
// can be tested without a GPU; its times say nothing about one.

#include <cstdint>   // std::int64_t
#include <memory>    // std::unique_ptr
#include <optional>  // what a device may not tell
#include <string>    // names

namespace tilestep {

/// Device time from start() to stop(), by events in the current stream.
class DeviceTimer {
 public:
  DeviceTimer();
  ~DeviceTimer();
  DeviceTimer(DeviceTimer const&) = delete;
  DeviceTimer& operator=(DeviceTimer const&) = delete;

  void start();
  /// Waits for what was launched since start().
  /// @return seconds
  [[nodiscard]] double stop();

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

/// Chooses whether launches leave reports. Without them nothing stands between two launches on the device.
void keep_reports(bool keep);

/// What does not change while a program runs.
struct DeviceFacts {
  std::string driver;         ///< its version; "unknown" if nothing tells
  std::string toolkit;        ///< such as "CUDA 13.0"
  int units = 1;              ///< SMs or CUs
  std::int64_t l2_bytes = 0;  ///< of the last cache that the runtime knows
};
DeviceFacts device_facts();

/// Clocks, power and temperature at this moment, as far as the driver tells.
struct DeviceState {
  std::optional<double> clock_mhz = {};
  std::optional<double> memory_clock_mhz = {};
  std::optional<double> power_watts = {};
  std::optional<double> celsius = {};
};
DeviceState device_state();

/// Copies within device memory, in the current stream; returns without waiting.
void copy_on_device(void* destination, void const* source, std::int64_t bytes);

}  // namespace tilestep
