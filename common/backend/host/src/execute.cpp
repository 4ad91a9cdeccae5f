// Runs a launch: blocks over workers, a quick pass and, where that leaves a doubt, a careful one; then the report.

#include <tilestep/backend/error.hpp>                 // bad_input
#include <tilestep/backend/machine.hpp>               // machine_of
#include <tilestep/backend/runtime.hpp>               // machine
#include <tilestep/backend/virtual_gpu/options.hpp>   // run_options, reports
#include <tilestep/backend/virtual_gpu/schedule.hpp>  // BlockOrder
#include <tilestep/backend/virtual_gpu/stream_order.hpp>  // stream_order, enqueue_here
#include <tilestep/backend/virtual_gpu/worker.hpp>    // Worker

#include <cxxabi.h>  // abi::__cxa_demangle

#include <algorithm>  // std::clamp
#include <atomic>     // the next block
#include <chrono>     // how long it took
#include <cstdlib>    // std::free
#include <thread>     // std::thread

namespace tilestep::virtual_gpu {

namespace {

// Workers keep their stacks and tables from launch to launch.
Worker& worker(std::size_t index) {
  static std::vector<std::unique_ptr<Worker>> workers;
  while (workers.size() <= index) workers.push_back(std::make_unique<Worker>());
  return *workers[index];
}

// Runs all blocks once. The order is that of the schedule; workers take the next block when they are free.
void run_pass(Launch const& launch, int workers, HazardLog& hazards, KernelReport& report) {
  std::int64_t const cluster = launch.program->cluster, clusters = launch.program->blocks / cluster;
  BlockOrder const order(launch.schedule, clusters);
  std::atomic<std::int64_t> next = 0;
  auto const work = [&](Worker& self) {
    current = &self;
    self.begin_launch(launch);
    try {
      for (std::int64_t turn = next++; turn < clusters && !self.error; turn = next++)
        self.run_blocks(order(turn) * cluster, turn);
    } catch (...) {
      self.error = std::current_exception();
    }
    self.end_launch();
    current = nullptr;
  };

  for (int i = 0; i < workers; ++i) worker(std::size_t(i));  // make them before others run
  std::vector<std::thread> threads;
  for (int i = 1; i < workers; ++i) threads.emplace_back(work, std::ref(worker(std::size_t(i))));
  work(worker(0));
  for (std::thread& thread : threads) thread.join();

  hazards.clear();
  report.counters = Counters{};
  bool began = false, touched = false;
  for (int i = 0; i < workers; ++i) {
    Worker const& each = worker(std::size_t(i));
    hazards.merge(each.hazards);
    began = began || each.began_among_kernels();
    touched = touched || each.touched_global_memory_early();
    report.counters += each.counters;
    report.assumed_rules = report.assumed_rules || each.assumed_rules();
  }
  if (touched && !began) {
    hazards.add({"broken requirement", 0, {nullptr, 70}}, 0, [&] {
      return "kernel " + launch.program->name +
             " says overlaps = true and touches global memory, and none of its threads calls begin_among_kernels(): "
             "what the kernels before it do may not be over";
    });
  }
  for (int i = 0; i < workers; ++i) {
    if (std::exception_ptr const error = worker(std::size_t(i)).error) std::rethrow_exception(error);
  }
}

int workers_for(std::int64_t blocks) {
  int const cores = int(std::max(1u, std::thread::hardware_concurrency()));
  int const wanted = run_options().workers > 0 ? run_options().workers : cores;
  return int(std::min<std::int64_t>(wanted, blocks));
}

// Ends a launch's records of device memory, also when a kernel throws.
struct LaunchRecords {
  explicit LaunchRecords(Program const& program, bool watches) : program_(program) {
    device_memory().for_each([&](Allocation& a) { a.begin_launch(program.overlaps, watches); });
  }
  ~LaunchRecords() {
    device_memory().for_each([&](Allocation& a) { a.end_launch(program_.name); });
  }

 private:
  Program const& program_;
};

}  // namespace

void execute(Program const& program) {
  if (program.blocks < 0 || program.blocks > INT32_MAX) {
    bad_input(program.name + " would need " + std::to_string(program.blocks) +
              " blocks, a grid has at most 2147483647: choose smaller extents");
  }
  if (program.blocks == 0) return;
  if (program.only_on != nullptr && run_target().name != program.only_on) {
    not_here(program.name + " runs on " + program.only_on + " alone, not on " + std::string(run_target().name) +
             ": choose another configuration, or that target");
  }
  if (program.blocks % program.cluster != 0) {
    bad_input(program.name + " would need " + std::to_string(program.blocks) + " blocks in clusters of " +
              std::to_string(program.cluster) + ": choose a multiple");
  }
  if (program.cluster > 1 &&
      (program.only_on == nullptr || program.threads * program.cluster > virtual_gpu::History::most_threads ||
       program.threads % 32 != 0)) {
    not_here(program.name +
             " has clusters, which the virtual GPU runs for kernels that say only_on, of whole warps, with at most " +
             std::to_string(virtual_gpu::History::most_threads) + " threads in a cluster");
  }
  if (program.cluster > machine().cluster_blocks) {
    not_here(program.name + " runs in clusters of " + std::to_string(program.cluster) + " blocks, and a cluster of " +
             std::string(machine().name) + " has at most " + std::to_string(machine().cluster_blocks) +
             ": choose another configuration");
  }

  TargetInfo const& target = run_target();
  KernelReport report;
  report.kernel = program.name;
  report.target = target.name;
  report.blocks = program.blocks;
  report.threads = program.threads;
  report.shared_bytes = program.shared_bytes;
  Machine const& plays = machine();
  if (program.shared_bytes > plays.shared_bytes) {
    report.hazards.push_back({virtual_gpu::Kind("too much shared memory").text,
                              "kernel " + program.name + " needs " + std::to_string(program.shared_bytes) +
                                  " bytes of shared memory for a block, " +
                                  std::string(plays.name == machine_of(target.name).name ? target.name : plays.name) +
                                  " has " + std::to_string(plays.shared_bytes) + ": choose a smaller tile"});
    keep_report(std::move(report));
    return;
  }

  auto const start = std::chrono::steady_clock::now();
  HazardLog hazards;
  StreamRaces races;
  Launch launch{&program, &target, run_options().schedule, run_options().check, false, thread_of_timeline()};
  device_memory().for_each([&](Allocation& a) { launch.unwatched_units |= a.looks_unwritten(); });
  if (!launch.check) {
    device_memory().for_each([](Allocation& a) { a.forget_kernels(); });
    run_pass(launch, workers_for(program.blocks), hazards, report);
  } else {
    std::shared_ptr<Operation const> operation;  // where other streams may run beside it
    if (stream_order().watches()) operation = enqueue_here("kernel " + program.name);
    LaunchRecords const records(program, operation != nullptr);
    run_pass(launch, workers_for(program.blocks), hazards, report);
    bool doubtful = false;
    device_memory().for_each([&](Allocation& a) { doubtful = doubtful || a.doubtful(); });
    if (doubtful) {
      device_memory().for_each([](Allocation& a) { a.begin_careful_pass(); });
      launch.careful = true;
      launch.timeline = -1;
      run_pass(launch, 1, hazards, report);
    }
    if (operation) device_memory().for_each([&](Allocation& a) { races.add(a, a.note_launch(operation)); });
  }
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  report.hazards = hazards.hazards();
  report.hazards.insert(report.hazards.end(), races.hazards().begin(), races.hazards().end());
  keep_report(std::move(report));
}

std::string kernel_name(std::type_info const& type) {
  int status = 0;
  char* const demangled = abi::__cxa_demangle(type.name(), nullptr, nullptr, &status);
  std::string const full = status == 0 ? demangled : type.name();
  std::free(demangled);
  // What remains after the last "::" that is in no brackets, up to its own brackets.
  std::string name;
  int depth = 0;
  for (std::size_t i = 0; i < full.size(); ++i) {
    char const c = full[i];
    if (c == '<' || c == '(' || c == '{') ++depth;
    if (depth == 0 && c == ':') name.clear();
    if (depth == 0 && c != ':') name += c;
    if (c == '>' || c == ')' || c == '}') --depth;
  }
  return name;
}

}  // namespace tilestep::virtual_gpu
