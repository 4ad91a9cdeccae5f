// Times between two points of the device's work, and copies within its memory.

#include "device.hpp"  // native_stream

#include <tilestep/backend/check.hpp>    // TS_CHECK, TS_GPU
#include <tilestep/backend/measure.hpp>  // what is implemented here

namespace tilestep {

struct DeviceTimer::Implementation {
  GpuEvent started{}, stopped{};
};

DeviceTimer::DeviceTimer() : implementation_(std::make_unique<Implementation>()) {
  TS_CHECK(TS_GPU(EventCreate)(&implementation_->started));
  TS_CHECK(TS_GPU(EventCreate)(&implementation_->stopped));
}

DeviceTimer::~DeviceTimer() {  // an error has been reported by another call
  (void)TS_GPU(EventDestroy)(implementation_->started);
  (void)TS_GPU(EventDestroy)(implementation_->stopped);
}

void DeviceTimer::start() { TS_CHECK(TS_GPU(EventRecord)(implementation_->started, native_stream())); }

double DeviceTimer::stop() {
  TS_CHECK(TS_GPU(EventRecord)(implementation_->stopped, native_stream()));
  TS_CHECK(TS_GPU(EventSynchronize)(implementation_->stopped));
  float milliseconds = 0;
  TS_CHECK(TS_GPU(EventElapsedTime)(&milliseconds, implementation_->started, implementation_->stopped));
  return milliseconds * 1e-3;
}

void copy_on_device(void* destination, void const* source, std::int64_t bytes) {
  if (bytes == 0) return;
  auto const kind = TS_GPU(MemcpyDeviceToDevice);
  TS_CHECK(TS_GPU(MemcpyAsync)(destination, source, std::size_t(bytes), kind, native_stream()));
}

}  // namespace tilestep
