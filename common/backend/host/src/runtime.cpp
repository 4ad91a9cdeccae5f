// The runtime of the virtual GPU: its device is this machine's CPU, and its memory ordinary memory.

#include <tilestep/backend/caller.hpp>                  // what is implemented here
#include <tilestep/backend/machine.hpp>                 // machine_named, machine_of
#include <tilestep/backend/measure.hpp>                 // keep_reports
#include <tilestep/backend/runtime.hpp>                 // what is implemented here
#include <tilestep/backend/virtual_gpu/allocation.hpp>  // device_memory
#include <tilestep/backend/virtual_gpu/options.hpp>     // what is implemented here
#include <tilestep/backend/virtual_gpu/stream_order.hpp>  // note_copy, stream_order

#include <cstring>  // std::memcpy

namespace tilestep {

namespace {

RunOptions options;
TargetInfo const* chosen_target = &targets[0];
Machine chosen_machine = machine_of(targets[0].name);
std::vector<KernelReport> reports;
bool reports_are_kept = true;

// Finds the allocation that has all of [memory, memory + bytes).
virtual_gpu::Allocation& find_range(void const* memory, std::int64_t bytes, std::int64_t& offset) {
  auto const address = reinterpret_cast<std::uintptr_t>(memory);
  virtual_gpu::Allocation* const allocation = virtual_gpu::device_memory().find(address);
  if (allocation == nullptr) bad_input("a copy to or from the device needs device memory: this pointer points to none");
  offset = std::int64_t(address - allocation->begin());
  if (bytes < 0 || bytes > allocation->bytes() - offset) {
    bad_input("a copy of " + std::to_string(bytes) + " bytes does not fit into " + allocation->name() + ", which has " +
              std::to_string(allocation->bytes() - offset) + " bytes from there on");
  }
  return *allocation;
}

void forget_kernels() {  // a launch returns when it is done
  virtual_gpu::device_memory().for_each([](virtual_gpu::Allocation& a) { a.forget_kernels(); });
}

}  // namespace

namespace virtual_gpu {

RunOptions const& run_options() { return options; }
TargetInfo const& run_target() { return *chosen_target; }
void keep_report(KernelReport&& report) {
  if (reports_are_kept) reports.push_back(std::move(report));
}

}  // namespace virtual_gpu

void require_device() {}
int device_count() { return 1; }
void use_device(int) {}

std::string device_name() {
  return options.machine.empty() ? "virtual GPU" : "virtual GPU (" + std::string(chosen_machine.name) + ")";
}

TargetInfo const& target() { return *chosen_target; }
Machine const& machine() { return chosen_machine; }

void* device_alloc(char const* name, std::int64_t bytes, std::int64_t element_size) {
  return virtual_gpu::device_memory().allocate(name, bytes, element_size);
}

void device_free(void* memory) { virtual_gpu::device_memory().free(memory); }

void copy_to_device(void* destination, void const* source, std::int64_t bytes) {
  if (bytes == 0) return;
  std::int64_t offset = 0;
  virtual_gpu::Allocation& allocation = find_range(destination, bytes, offset);
  forget_kernels();
  virtual_gpu::note_copy(allocation, offset, bytes, true);
  std::memcpy(destination, source, std::size_t(bytes));
  allocation.set_initialised(offset, bytes);
  allocation.note_data(offset, bytes);
}

void copy_to_host(void* destination, void const* source, std::int64_t bytes) {
  if (bytes == 0) return;
  std::int64_t offset = 0;
  virtual_gpu::Allocation& allocation = find_range(source, bytes, offset);
  forget_kernels();
  virtual_gpu::note_copy(allocation, offset, bytes, false);
  std::memcpy(destination, source, std::size_t(bytes));
}

void synchronize() {
  forget_kernels();
  virtual_gpu::stream_order().host_waits_for_all();
}

void follow_kernels_of_the_caller() {
  virtual_gpu::device_memory().for_each([](virtual_gpu::Allocation& a) { a.follow_the_caller(); });
}

void mark_uninitialised(void* memory, std::int64_t bytes) {
  if (bytes == 0) return;
  std::int64_t offset = 0;
  find_range(memory, bytes, offset).set_uninitialised(offset, bytes);
}

void set_run_options(RunOptions const& new_options) {
  if (new_options.workers < 0)
    bad_input("a negative number of workers was asked for: choose 0 for one per core, or more");
  TargetInfo const* wanted = new_options.target.empty() ? nullptr : &target_info(new_options.target);
  if (wanted == nullptr) wanted = &targets[0];
  Machine const plays = new_options.machine.empty() ? machine_of(wanted->name) : machine_named(new_options.machine);
  if (!new_options.target.empty() && wanted->name != plays.target) {
    bad_input(std::string(plays.name) + " runs the kernels of " + std::string(plays.target) + ", and " +
              new_options.target + " was asked for: leave one of them out");
  }
  chosen_target = &target_info(plays.target);
  chosen_machine = plays;
  options = new_options;
}

std::vector<KernelReport> take_reports() { return std::exchange(reports, {}); }

void keep_reports(bool keep) { reports_are_kept = keep; }

}  // namespace tilestep
