// Grades the exercise: C right, and each element of B loaded once for two elements of C.

#include EXERCISE_HEADER

#include <tilestep/backend/launch.hpp>  // launch, DeviceBuffer, take_reports
#include <tilestep/harness/graded.hpp>  // no_hazard, right_element, at_most

#include <cstdio>  // messages
#include <vector>  // matrices

using namespace tilestep;

namespace {

/// 0 right, 1 wrong, 4 hazard.
int check(std::int64_t M, std::int64_t N, std::int64_t K) {
  std::vector<float> a(std::size_t(M * K)), b(std::size_t(N * K)), c(std::size_t(M * N), -1234.5f);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = float(int(i * 7 % 11) - 4);
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = float(int(i * 5 % 13) - 7);

  DeviceBuffer<float> device_a("A", M * K), device_b("B", N * K), device_c("C", M * N);
  device_a.upload(a.data(), M * K);
  device_b.upload(b.data(), N * K);
  device_c.upload(c.data(), M * N);
  TwoParams const params{device_a.data(), device_b.data(), device_c.data(), M, N, K};
  launch(TwoElements{}, TwoElements::blocks(params), params);
  auto const report = take_reports().at(0);
  if (!no_hazard(report)) return 4;

  device_c.download(c.data(), M * N);
  for (std::int64_t m = 0; m < M; ++m) {
    for (std::int64_t n = 0; n < N; ++n) {
      float want = 0;
      for (std::int64_t k = 0; k < K; ++k) want += a[std::size_t(m * K + k)] * b[std::size_t(k * N + n)];
      if (!right_element("C", m, n, c[std::size_t(m * N + n)], want)) return 1;
    }
  }
  // One element of A for each multiply-add, one of B for each pair of rows.
  std::int64_t const most = (M + (M + 1) / 2) * N * K * std::int64_t(sizeof(float));
  return at_most("right, but bytes loaded", report.counters.global_load_bytes, most) ? 0 : 1;
}

}  // namespace

int main() {
  for (auto const& size : {std::vector<std::int64_t>{64, 64, 16}, {33, 47, 5}, {1, 1, 1}, {2, 300, 3}, {70, 3, 0}}) {
    int const verdict = check(size[0], size[1], size[2]);
    if (verdict == 0) continue;
    std::printf("  in a product of M = %d, N = %d, K = %d\n", int(size[0]), int(size[1]), int(size[2]));
    return verdict;
  }
  std::puts("right: two elements per thread, and half of the loads of B");
  return 0;
}
