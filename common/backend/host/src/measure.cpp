// The virtual GPU's answers to what a measurement asks: the CPU's clock, and no library of a vendor.

#include <tilestep/backend/measure.hpp>      // what is implemented here
#include <tilestep/backend/runtime.hpp>      // copies
#include <tilestep/backend/vendor_gemm.hpp>  // what is implemented here

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
  copy_to_host(between.data(), source, bytes);
  copy_to_device(destination, between.data(), bytes);
}

struct VendorLibrary::Implementation {
  std::string name;
  std::string missing = "the virtual GPU has no library of a vendor";
};

VendorLibrary::VendorLibrary() : implementation_(std::make_unique<Implementation>()) {}
VendorLibrary::~VendorLibrary() = default;
std::string const& VendorLibrary::name() const { return implementation_->name; }
std::string const& VendorLibrary::missing() const { return implementation_->missing; }
std::vector<std::string> VendorLibrary::modes(VendorGemm const&) const { return {}; }
std::string VendorLibrary::run(VendorGemm const&, std::string const&) { return implementation_->missing; }

}  // namespace tilestep
