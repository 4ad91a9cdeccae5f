// The runtime on GPUs of both vendors: memory, launches and their times, errors in words. The vendors' functions have
// the same names behind another prefix, TS_GPU. An ordinary C++ file: only the kernels themselves need a compiler for
// GPUs.

#include "device.hpp"  // Device, find_device, is_wrong_device

#include <tilestep/backend/caller.hpp>   // follow_kernels_of_the_caller
#include <tilestep/backend/check.hpp>    // TS_CHECK, TS_GPU
#include <tilestep/backend/launch.hpp>   // LaunchRequest
#include <tilestep/backend/measure.hpp>  // keep_reports
#include <tilestep/backend/require.hpp>  // broken_requirement
#include <tilestep/backend/runtime.hpp>  // what is implemented here

#include <cxxabi.h>  // abi::__cxa_demangle

#include <cstdlib>  // std::free
#include <unordered_set>  // kernels that were started before
#include <utility>        // std::move

namespace tilestep {

namespace detail {

void broken_requirement(char const* sentence) { bad_input(sentence); }

void check(GpuError code, char const* expression, char const* file, int line) {
  if (code == TS_GPU(Success)) return;
  std::string const what = std::string(expression) + " failed with error " + std::to_string(int(code)) + ", " +
                           TS_GPU(GetErrorName)(code) + " (" + TS_GPU(GetErrorString)(code) + "), at " + file + ":" +
                           std::to_string(line);
  throw Error(is_wrong_device(code) ? Exit::not_here : Exit::wrong, what);
}

}  // namespace detail

namespace {

int chosen_device = 0;

Device const& device() {
  static Device const found = find_device(chosen_device);
  return found;
}

// A launch whose time is not read yet.
struct Pending {
  KernelReport report;
  GpuEvent start, stop;
};

std::vector<Pending> pending;
std::vector<KernelReport> finished;
bool reports_are_kept = true;
std::vector<GpuEvent> spare_events;

GpuEvent take_event() {
  if (spare_events.empty()) {
    GpuEvent event{};
    TS_CHECK(TS_GPU(EventCreate)(&event));
    return event;
  }
  GpuEvent const event = spare_events.back();
  spare_events.pop_back();
  return event;
}

// Waits for the pending launches and reads their times.
void finish_pending() {
  for (Pending& launch : pending) {
    TS_CHECK(TS_GPU(EventSynchronize)(launch.stop));
    float milliseconds = 0;
    TS_CHECK(TS_GPU(EventElapsedTime)(&milliseconds, launch.start, launch.stop));
    launch.report.seconds = milliseconds * 1e-3;
    finished.push_back(std::move(launch.report));
    spare_events.push_back(launch.start);
    spare_events.push_back(launch.stop);
  }
  pending.clear();
}

// "tilestep::Copy<float>" from its mangled form, without the template arguments.
std::string kernel_name(detail::LaunchRequest const& request) {
  if (!request.is_mangled) return request.name;
  int status = 0;
  char* const demangled = abi::__cxa_demangle(request.name, nullptr, nullptr, &status);
  std::string name = demangled ? demangled : request.name;
  std::free(demangled);
  return name.substr(0, name.find('<'));
}

}  // namespace

void require_device() { (void)device(); }

int device_count() {
  int count = 0;
  if (TS_GPU(GetDeviceCount)(&count) == TS_GPU(Success)) return count;
  (void)TS_GPU(GetLastError)();  // require_device() says what is missing
  return 0;
}

void use_device(int number) { chosen_device = number; }

std::string device_name() { return device().name; }

TargetInfo const& target() { return *device().target; }
Machine const& machine() { return device().machine; }

void* device_alloc(char const* name, std::int64_t bytes, std::int64_t /*element_size*/) {
  require_device();
  if (bytes < 0) bad_input(std::string(name) + " would have a negative size: choose smaller extents");
  if (bytes == 0) return nullptr;
  void* memory = nullptr;
  GpuError const code = TS_GPU(Malloc)(&memory, std::size_t(bytes));
  if (code == out_of_memory) {
    (void)TS_GPU(GetLastError)();  // the next call must not report this one
    bad_input(std::string(name) + " needs " + std::to_string(bytes) + " bytes of device memory, more than " +
              device().name + " has left: choose smaller extents");
  }
  detail::check(code, TS_TEXT(TS_GPU(Malloc)(&memory, bytes)), __FILE__, __LINE__);
  return memory;
}

// Called in destructors: an error has been reported by another call.
void device_free(void* memory) { (void)TS_GPU(Free)(memory); }

namespace {

// The default stream is waited for by the copy itself.
void copy_and_wait(void* destination, void const* source, std::int64_t bytes, GpuCopyKind kind) {
  GpuStream const stream = native_stream();
  if (stream == nullptr) {
    TS_CHECK(TS_GPU(Memcpy)(destination, source, std::size_t(bytes), kind));
    return;
  }
  TS_CHECK(TS_GPU(MemcpyAsync)(destination, source, std::size_t(bytes), kind, stream));
  TS_CHECK(TS_GPU(StreamSynchronize)(stream));
}

}  // namespace

void copy_to_device(void* destination, void const* source, std::int64_t bytes) {
  if (bytes > 0) copy_and_wait(destination, source, bytes, TS_GPU(MemcpyHostToDevice));
}

void copy_to_host(void* destination, void const* source, std::int64_t bytes) {
  if (bytes > 0) copy_and_wait(destination, source, bytes, TS_GPU(MemcpyDeviceToHost));
}

void synchronize() { TS_CHECK(TS_GPU(DeviceSynchronize)()); }

void mark_uninitialised(void*, std::int64_t) {}
void follow_kernels_of_the_caller() {}

void set_run_options(RunOptions const& options) {
  if (!options.machine.empty())
    bad_input("--machine is what the virtual GPU plays; here kernels run on " + device().name + ": leave it out");
  if (options.target.empty()) return;
  TargetInfo const& wanted = target_info(options.target);
  if (wanted.name != target().name) {
    not_here("target " + options.target + " is not here: " + device().name + " is " + std::string(target().name) +
             ", and only the host backend runs every target");
  }
}

std::vector<KernelReport> take_reports() {
  finish_pending();
  return std::exchange(finished, {});
}

void keep_reports(bool keep) { reports_are_kept = keep; }

namespace detail {

void launch_kernel(LaunchRequest const& request, void* argument) {
  if (request.blocks == 0) return;
  std::string name = kernel_name(request);
  if (request.blocks < 0 || request.blocks > 0x7fffffff) {
    bad_input(name + " would need " + std::to_string(request.blocks) + " blocks, a grid has at most 2147483647: " +
              "choose smaller extents");
  }
  if (request.only_on != nullptr && target().name != request.only_on) {
    not_here(name + " runs on " + request.only_on + " alone, " + device().name + " is " + std::string(target().name) +
             ": choose another configuration, or the host backend, which runs every target");
  }
  if (request.blocks % request.cluster != 0) {
    bad_input(name + " would need " + std::to_string(request.blocks) + " blocks in clusters of " +
              std::to_string(request.cluster) + ": choose a multiple");
  }
  if (request.cluster > device().machine.cluster_blocks) {
    not_here(name + " runs in clusters of " + std::to_string(request.cluster) + " blocks, and a cluster of " +
             device().name + " has at most " + std::to_string(device().machine.cluster_blocks) +
             ": choose another configuration");
  }
  if (request.shared_bytes > device().machine.shared_bytes) {
    not_here(name + " needs " + std::to_string(request.shared_bytes) + " bytes of shared memory, " + device().name +
             " gives a block " + std::to_string(device().machine.shared_bytes) + ": choose a smaller tile");
  }
  static std::unordered_set<void const*> allowed;  // kernels that may have as much as they ask for
  if (request.dynamic_bytes > 0 && allowed.insert(request.entry).second) {
    TS_CHECK(TS_GPU(FuncSetAttribute)(request.entry, TS_GPU(FuncAttributeMaxDynamicSharedMemorySize),
                                      int(request.dynamic_bytes)));
  }
  auto const start = [&] {
    if (request.cluster > 1 || request.overlaps) return launch_with_attributes(request, argument);
    TS_CHECK(TS_GPU(LaunchKernel)(request.entry, dim3(unsigned(request.blocks)), dim3(unsigned(request.threads)),
                                  &argument, std::size_t(request.dynamic_bytes), native_stream()));
  };
  if (!reports_are_kept) return start();
  if (pending.size() == 1024) finish_pending();  // bounds the events in flight

  Pending launch{};
  launch.report.kernel = std::move(name);
  launch.report.target = target().name;
  launch.report.blocks = request.blocks;
  launch.report.threads = request.threads;
  launch.report.shared_bytes = request.shared_bytes;
  launch.start = take_event();
  launch.stop = take_event();
  TS_CHECK(TS_GPU(EventRecord)(launch.start, native_stream()));
  start();
  TS_CHECK(TS_GPU(EventRecord)(launch.stop, native_stream()));
  pending.push_back(std::move(launch));
}

}  // namespace detail

}  // namespace tilestep
