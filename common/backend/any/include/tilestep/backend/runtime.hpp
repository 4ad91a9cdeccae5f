#pragma once
// The host side of a backend: which device there is, its memory, how kernels run and what they left behind. The same
// words on every backend; each implements them in its own src/runtime.cpp, so ordinary C++ files can use them.

#include <tilestep/backend/error.hpp>                // Error, bad_input, not_here
#include <tilestep/backend/machine_description.hpp>  // Machine
#include <tilestep/backend/report.hpp>               // RunOptions, KernelReport
#include <tilestep/backend/target.hpp>               // TargetInfo

#include <cstdint>      // std::int64_t
#include <string>       // names
#include <type_traits>  // std::is_trivially_copyable_v
#include <utility>      // std::exchange, std::move
#include <vector>       // std::vector

namespace tilestep {

/// Makes sure that there is a device.
/// @par Errors  not_here, with one sentence that says what is missing
void require_device();
/// How many devices this process may use: 0 without any, 1 on the virtual GPU.
int device_count();
/// Chooses the device of this process, before anything else asks for one; without a choice it is the first.
/// @pre  0 <= number < device_count()
void use_device(int number);
std::string device_name();
/// The target that kernels run for: the device's, or on the virtual GPU the chosen one.
TargetInfo const& target();
/// The machine that kernels run on: on a GPU with what the device says of itself, on the virtual GPU the chosen one.
/// machine.hpp finds others.
Machine const& machine();

/// Memory on the device, aligned to 256 bytes, with no defined contents. The name and the size of an element are for
/// messages.
/// @par Errors  bad_input if `bytes` is negative or more than there is
void* device_alloc(char const* name, std::int64_t bytes, std::int64_t element_size);
void device_free(void* memory);
void copy_to_device(void* destination, void const* source, std::int64_t bytes);
void copy_to_host(void* destination, void const* source, std::int64_t bytes);
/// Waits for every kernel that was launched.
void synchronize();
/// Forgets that the memory was written: on the virtual GPU reading it is a hazard until it is written again.
void mark_uninitialised(void* memory, std::int64_t bytes);

/// How kernels run from now on.
/// @par Errors  bad_input for an unknown target; not_here if the backend cannot run as asked
void set_run_options(RunOptions const& options);
/// The reports of the launches since the last call, oldest first.
std::vector<KernelReport> take_reports();

/// `count` elements of device memory with a name. It may be empty.
template <class T>
class DeviceBuffer {
  static_assert(std::is_trivially_copyable_v<T>, "elements of device memory are copied bit by bit");

 public:
  DeviceBuffer(std::string name, std::int64_t count) : name_(std::move(name)), count_(count) {
    std::int64_t const most = INT64_MAX / std::int64_t(sizeof(T));
    if (count < 0 || count > most) {
      bad_input(name_ + " would have " + std::to_string(count) + " elements: choose extents whose product is 0 to " +
                std::to_string(most));
    }
    data_ = static_cast<T*>(device_alloc(name_.c_str(), count * std::int64_t(sizeof(T)), sizeof(T)));
  }
  ~DeviceBuffer() {
    if (data_ != nullptr) device_free(data_);
  }
  DeviceBuffer(DeviceBuffer&& other) noexcept
      : name_(std::move(other.name_)),
        count_(std::exchange(other.count_, 0)),
        data_(std::exchange(other.data_, nullptr)) {}
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
    std::swap(name_, other.name_);
    std::swap(count_, other.count_);
    std::swap(data_, other.data_);
    return *this;
  }
  DeviceBuffer(DeviceBuffer const&) = delete;
  DeviceBuffer& operator=(DeviceBuffer const&) = delete;

  [[nodiscard]] T* data() { return data_; }
  [[nodiscard]] T const* data() const { return data_; }
  [[nodiscard]] std::int64_t size() const { return count_; }
  [[nodiscard]] std::string const& name() const { return name_; }

  /// Copies `count` elements to [first, first + count).
  void upload(T const* from, std::int64_t count, std::int64_t first = 0) {
    check_range(count, first);
    if (count > 0) copy_to_device(data_ + first, from, count * std::int64_t(sizeof(T)));
  }
  /// Copies [first, first + count) to the host.
  void download(T* to, std::int64_t count, std::int64_t first = 0) const {
    check_range(count, first);
    if (count > 0) copy_to_host(to, data_ + first, count * std::int64_t(sizeof(T)));
  }

 private:
  void check_range(std::int64_t count, std::int64_t first) const {
    if (first < 0 || count < 0 || first > count_ || count > count_ - first) {
      bad_input("elements " + std::to_string(first) + " to " + std::to_string(first + count) + " of " + name_ +
                " were asked for: it has " + std::to_string(count_));
    }
  }

  std::string name_;
  std::int64_t count_;
  T* data_ = nullptr;
};

}  // namespace tilestep
