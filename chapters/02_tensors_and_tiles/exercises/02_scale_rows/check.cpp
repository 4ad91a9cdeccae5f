// Grades the exercise: every element right, and loads and stores in the fewest sectors.

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
  std::vector<float> in(std::size_t(M * N)), scale(std::size_t(M), 0), out(std::size_t(M * N), -1234.5f);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = float(i % 1000 + 1);
  for (std::size_t i = 0; i < scale.size(); ++i) scale[i] = float(i + 1);
  DeviceBuffer<float> device_in("in", M * N), device_scale("scale", M), device_out("out", M * N);
  device_in.upload(in.data(), M * N);
  device_scale.upload(scale.data(), M);
  device_out.upload(out.data(), M * N);
  ScaleParams const params{device_in.data(), device_scale.data(), device_out.data(), M, N};
  launch(ScaleRows{}, size(ScaleRows::grid(params)), params);
  device_out.download(out.data(), M * N);

  auto const report = take_reports().at(0);
  if (!no_hazard(report)) return 4;
  for (std::int64_t i = 0; i < M * N; ++i) {
    float const want = scale[std::size_t(i / N)] * in[std::size_t(i)];
    if (!right_element("out", i / N, i % N, out[std::size_t(i)], want)) return 1;
  }
  auto const& counted = report.counters;
  bool const stores = at_most("right, but sectors stored", counted.global_store_sectors, M * N / 8);
  // For each request of 32 elements one sector more holds the number of their row.
  bool const loads = at_most("right, but sectors loaded", counted.global_load_sectors, M * N / 8 + M * N / 32);
  return stores && loads ? 0 : 1;
}

}  // namespace

int main() {
  set_run_options({.target = "sm80", .schedule = {}, .check = true, .workers = 0});
  for (auto const& [M, N] : {std::pair<int, int>{32, 64}, {48, 192}}) {
    if (int const verdict = check(M, N); verdict != 0) return verdict;
  }
  std::puts("right: a vector is a matrix with a stride of 0");
  return 0;
}
