// Grades the exercise: every element right, every sector read once and written once, one barrier.

#include EXERCISE_HEADER

#include <tilestep/backend/launch.hpp>   // launch
#include <tilestep/backend/runtime.hpp>  // DeviceBuffer, take_reports, set_run_options
#include <tilestep/harness/graded.hpp>   // no_hazard, right_element, at_most

#include <cstdio>  // messages
#include <vector>  // matrices

using namespace tilestep;

namespace {

/// 0 right, 1 wrong, 4 hazard.
int check(std::int64_t M, std::int64_t N) {
  std::vector<float> in(std::size_t(M * N)), out(std::size_t(M * N), -1234.5f);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = float(i);
  DeviceBuffer<float> device_in("in", M * N), device_out("out", M * N);
  device_in.upload(in.data(), M * N);
  device_out.upload(out.data(), M * N);
  TransposeParams const params{device_in.data(), device_out.data(), M, N};
  launch(Transpose{}, size(Transpose::grid(params)), params);
  device_out.download(out.data(), M * N);

  auto const report = take_reports().at(0);
  if (!no_hazard(report)) return 4;
  for (std::int64_t i = 0; i < M * N; ++i) {
    float const want = in[std::size_t(i % M * N + i / M)];
    if (!right_element("out", i / M, i % M, out[std::size_t(i)], want)) return 1;
  }
  auto const& counted = report.counters;
  bool const loads = at_most("right, but sectors loaded", counted.global_load_sectors, M * N / 8);
  bool const stores = at_most("right, but sectors stored", counted.global_store_sectors, M * N / 8);
  bool const barriers = at_most("right, but barriers", counted.barriers, report.blocks);
  return loads && stores && barriers ? 0 : 1;
}

}  // namespace

int main() {
  for (auto const schedule : {Schedule{}, Schedule{Schedule::Kind::reverse, 0}}) {
    set_run_options({.target = "sm80", .schedule = schedule, .check = true, .workers = 0});
    if (int const verdict = check(64, 96); verdict != 0) return verdict;
  }
  std::puts("right: every sector is read once and written once");
  return 0;
}
