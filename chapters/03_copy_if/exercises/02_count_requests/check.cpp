// Grades the exercise: runs the chapter's kernel and compares the number with what the virtual GPU counted.

#include EXERCISE_HEADER

#include "kernel.hpp"  // WindowCopy

#include <tilestep/backend/launch.hpp>   // launch
#include <tilestep/backend/runtime.hpp>  // DeviceBuffer, take_reports, set_run_options
#include <tilestep/harness/graded.hpp>   // no_hazard, predicted

#include <cstdio>  // messages
#include <vector>  // the source

using namespace tilestep;

int main() {
  set_run_options({.target = "sm80", .schedule = {}, .check = true, .workers = 0});
  constexpr std::int64_t source = 64, window = 40;
  std::vector<float> const ones(std::size_t(source * source), 1.0f);
  DeviceBuffer<float> in("in", source * source), out("out", window * window);
  in.upload(ones.data(), source * source);
  auto const by_rows = [](std::int64_t extent) {
    return MatrixView(make_shape(extent, extent), make_stride(extent, std::int64_t(1)));
  };
  using Kernel = WindowCopy<float, false>;
  Kernel::Params const params{
      in.data(), out.data(), by_rows(source), by_rows(window), make_coord(std::int64_t(-8), std::int64_t(20)), 0.0f};
  launch(Kernel{}, size(Kernel::grid(params)), params);
  auto const report = take_reports().at(0);
  if (!no_hazard(report)) return 4;
  if (!predicted("load requests", answer, report.counters.global_load_requests)) return 1;
  std::puts("right: a warp that has nothing to load makes no request, and one that has 8 elements makes a whole one");
  return 0;
}
