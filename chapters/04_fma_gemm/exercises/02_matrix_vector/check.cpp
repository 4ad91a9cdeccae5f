// Grades the exercise: y right, and A and x loaded in the fewest sectors.

#include EXERCISE_HEADER

#include <tilestep/backend/launch.hpp>  // launch, DeviceBuffer, take_reports
#include <tilestep/harness/graded.hpp>  // no_hazard, right_element, at_most

#include <cstdio>  // messages
#include <vector>  // host memory

using namespace tilestep;

namespace {

/// 0 right, 1 wrong, 4 hazard.
int check(std::int64_t M, std::int64_t K) {
  std::vector<float> a(std::size_t(M * K)), x(std::size_t(K), 0), y(std::size_t(M), -1234.5f);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = float(int(i * 7 % 11) - 4);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = float(int(i * 5 % 13) - 7);
  DeviceBuffer<float> device_a("A", M * K), device_x("x", K), device_y("y", M);
  device_a.upload(a.data(), M * K);
  device_x.upload(x.data(), K);
  device_y.upload(y.data(), M);
  VectorParams const params{device_a.data(), device_x.data(), device_y.data(), M, K};
  launch(MatrixVector{}, MatrixVector::blocks(params), params);
  device_y.download(y.data(), M);

  auto const report = take_reports().at(0);
  if (!no_hazard(report)) return 4;
  for (std::int64_t m = 0; m < M; ++m) {
    float want = 0;
    for (std::int64_t k = 0; k < K; ++k) want += a[std::size_t(m * K + k)] * x[std::size_t(k)];
    if (!right_element("y", m, 0, y[std::size_t(m)], want)) return 1;
  }
  // Where rows begin at sectors, 8 elements of A and 8 of x are in one each.
  if (K % 32 != 0) return 0;
  return at_most("right, but sectors loaded", report.counters.global_load_sectors, 2 * M * K / 8) ? 0 : 1;
}

}  // namespace

int main() {
  set_run_options({.target = "sm80", .schedule = {}, .check = true, .workers = 0});
  for (auto const& [M, K] : {std::pair<int, int>{130, 64}, {9, 100}, {1, 5}, {257, 96}, {3, 0}}) {
    int const verdict = check(M, K);
    if (verdict == 0) continue;
    std::printf("  for M = %d, K = %d\n", M, K);
    return verdict;
  }
  std::puts("right: a warp loads 32 neighbours of a row, 4 sectors at a time");
  return 0;
}
