#pragma once
// A host matrix's twin on the device. On a real device guard bands lie around it; the virtual GPU checks bounds itself,
// and guard bands would hide from it what is out of bounds.

#include <tilestep/backend/runtime.hpp>      // device_alloc, copies
#include <tilestep/harness/host_matrix.hpp>  // HostMatrix
#include <tilestep/harness/record.hpp>       // on_virtual_gpu

#include <cstdint>  // std::int64_t

namespace tilestep {

/// Bytes on each side of a matrix on the device.
inline std::int64_t guard_bytes(bool check) { return on_virtual_gpu() && check ? 0 : 256; }

class DeviceArray {
 public:
  DeviceArray(char const* name, HostMatrix const& host)
      : bytes_(static_cast<std::int64_t>(host.image().size())),
        guard_bytes_(host.guard_bytes()),
        memory_(device_alloc(name, bytes_, bytes_of(host.place().type))) {
    if (bytes_ > 0) copy_to_device(memory_, host.image().data(), bytes_);
  }
  ~DeviceArray() {
    if (memory_ != nullptr) device_free(memory_);
  }
  DeviceArray(DeviceArray const&) = delete;
  DeviceArray& operator=(DeviceArray const&) = delete;

  /// The first element.
  [[nodiscard]] void* elements() const { return static_cast<unsigned char*>(memory_) + guard_bytes_; }

  void forget() {
    if (bytes_ > 0) mark_uninitialised(memory_, bytes_);
  }
  void download(HostMatrix& host) const {
    if (bytes_ > 0) copy_to_host(host.image().data(), memory_, bytes_);
  }

 private:
  std::int64_t bytes_;
  std::int64_t guard_bytes_;
  void* memory_;
};

}  // namespace tilestep
