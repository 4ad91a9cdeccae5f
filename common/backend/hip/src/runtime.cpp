// The HIP side of the runtime: memory, launches and their times, errors in words. An ordinary C++ file: only the
// kernels themselves need a compiler for AMD GPUs.

#include <tilestep/backend/check.hpp>    // TS_CHECK
#include <tilestep/backend/launch.hpp>   // LaunchRequest
#include <tilestep/backend/measure.hpp>  // keep_reports
#include <tilestep/backend/require.hpp>  // broken_requirement
#include <tilestep/backend/runtime.hpp>  // what is implemented here

#include <cxxabi.h>  // abi::__cxa_demangle

#include <cstdlib>  // std::free
#include <utility>  // std::move

namespace tilestep {

namespace detail {

void broken_requirement(char const* sentence) { bad_input(sentence); }

void check(hipError_t code, char const* expression, char const* file, int line) {
  if (code == hipSuccess) return;
  std::string const what = std::string(expression) + " failed with error " + std::to_string(int(code)) + ", " +
                           hipGetErrorName(code) + " (" + hipGetErrorString(code) + "), at " + file + ":" +
                           std::to_string(line);
  bool const wrong_device = code == hipErrorNoBinaryForGpu;
  throw Error(wrong_device ? Exit::not_here : Exit::wrong, what);
}

}  // namespace detail

namespace {

// What is asked of the device once.
struct Device {
  std::string name;
  TargetInfo const* target;
  std::int64_t most_shared_bytes;  // of one block
};

// The target a processor belongs to: "gfx942:sramecc+:xnack-" is a gfx942, gfx1101 runs what gfx1100 runs.
std::string target_name(std::string const& processor) {
  std::string const name = processor.substr(0, processor.find(':'));
  if (name.starts_with("gfx11")) return "gfx1100";
  if (name.starts_with("gfx12")) return "gfx1201";
  return name;
}

Device find_device() {
  int count = 0;
  hipError_t const code = hipGetDeviceCount(&count);
  if (code != hipSuccess || count == 0) {
    not_here(std::string("this machine has no AMD GPU that HIP can use (") + hipGetErrorName(code) +
             "): run this where there is one, or build the host backend");
  }
  hipDeviceProp_t properties{};
  TS_CHECK(hipGetDeviceProperties(&properties, 0));
  std::string const name = target_name(properties.gcnArchName);
  for (TargetInfo const& known : targets) {
    if (known.name == name) return Device{properties.name, &known, std::int64_t(properties.sharedMemPerBlock)};
  }
  not_here(std::string(properties.name) + " is a " + name +
           ": the hip backend knows gfx90a, gfx942, gfx950, gfx11 and gfx12");
}

Device const& device() {
  static Device const found = find_device();
  return found;
}

// A launch whose time is not read yet.
struct Pending {
  KernelReport report;
  hipEvent_t start, stop;
};

std::vector<Pending> pending;
std::vector<KernelReport> finished;
bool reports_are_kept = true;
std::vector<hipEvent_t> spare_events;

hipEvent_t take_event() {
  if (spare_events.empty()) {
    hipEvent_t event{};
    TS_CHECK(hipEventCreate(&event));
    return event;
  }
  hipEvent_t const event = spare_events.back();
  spare_events.pop_back();
  return event;
}

// Waits for the pending launches and reads their times.
void finish_pending() {
  for (Pending& launch : pending) {
    TS_CHECK(hipEventSynchronize(launch.stop));
    float milliseconds = 0;
    TS_CHECK(hipEventElapsedTime(&milliseconds, launch.start, launch.stop));
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

std::string device_name() { return device().name; }

TargetInfo const& target() { return *device().target; }

void* device_alloc(char const* name, std::int64_t bytes, std::int64_t /*element_size*/) {
  require_device();
  if (bytes < 0) bad_input(std::string(name) + " would have a negative size: choose smaller extents");
  if (bytes == 0) return nullptr;
  void* memory = nullptr;
  hipError_t const code = hipMalloc(&memory, std::size_t(bytes));
  if (code == hipErrorOutOfMemory) {
    (void)hipGetLastError();  // the next call must not report this one
    bad_input(std::string(name) + " needs " + std::to_string(bytes) + " bytes of device memory, more than " +
              device().name + " has left: choose smaller extents");
  }
  detail::check(code, "hipMalloc(&memory, bytes)", __FILE__, __LINE__);
  return memory;
}

// Called in destructors: an error has been reported by another call.
void device_free(void* memory) { (void)hipFree(memory); }

void copy_to_device(void* destination, void const* source, std::int64_t bytes) {
  if (bytes > 0) TS_CHECK(hipMemcpy(destination, source, std::size_t(bytes), hipMemcpyHostToDevice));
}

void copy_to_host(void* destination, void const* source, std::int64_t bytes) {
  if (bytes > 0) TS_CHECK(hipMemcpy(destination, source, std::size_t(bytes), hipMemcpyDeviceToHost));
}

void synchronize() { TS_CHECK(hipDeviceSynchronize()); }

void mark_uninitialised(void*, std::int64_t) {}

void set_run_options(RunOptions const& options) {
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
  if (request.shared_bytes > device().most_shared_bytes) {
    not_here(name + " needs " + std::to_string(request.shared_bytes) + " bytes of shared memory, " + device().name +
             " gives a block " + std::to_string(device().most_shared_bytes) + ": choose a smaller tile");
  }
  if (request.dynamic_bytes > 0) {
    TS_CHECK(hipFuncSetAttribute(request.entry,
                                  hipFuncAttributeMaxDynamicSharedMemorySize, int(request.dynamic_bytes)));
  }
  auto const start = [&] {
    TS_CHECK(hipLaunchKernel(request.entry, dim3(unsigned(request.blocks)), dim3(unsigned(request.threads)), &argument,
                              std::size_t(request.dynamic_bytes), nullptr));
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
  TS_CHECK(hipEventRecord(launch.start, nullptr));
  start();
  TS_CHECK(hipEventRecord(launch.stop, nullptr));
  pending.push_back(std::move(launch));
}

}  // namespace detail

}  // namespace tilestep
