// Grades the exercise: the lower triangle right, the upper one untouched, and no more work than the blocks on and below
// the diagonal take.

#include EXERCISE_HEADER

#include <tilestep/backend/launch.hpp>   // launch, DeviceBuffer, take_reports
#include <tilestep/harness/graded.hpp>   // no_hazard, right_element, at_most

#include <cstdio>  // messages
#include <vector>  // matrices

using namespace tilestep;

namespace {

constexpr float untouched = -1234.5f;

/// 0 right, 1 wrong, 4 hazard.
int check(std::int64_t n, std::int64_t k) {
  std::vector<float> a(std::size_t(n * k)), c(std::size_t(n * n), untouched);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = float(int(i * 7 % 11) - 4);

  DeviceBuffer<float> device_a("A", n * k), device_c("C", n * n);
  device_a.upload(a.data(), n * k);
  device_c.upload(c.data(), n * n);
  HalfParams const params{device_a.data(), device_c.data(),
                          MatrixLayout(make_shape(n, k, std::int64_t(1)), make_stride(k, std::int64_t(1), n * k)),
                          MatrixLayout(make_shape(n, n, std::int64_t(1)), make_stride(n, std::int64_t(1), n * n))};
  launch(HalfTheWork{}, size(HalfTheWork::grid(params)), params);
  device_c.download(c.data(), n * n);

  auto const report = take_reports().at(0);
  if (!no_hazard(report)) return 4;

  for (std::int64_t m = 0; m < n; ++m) {
    for (std::int64_t j = 0; j < n; ++j) {
      float want = untouched;
      if (m >= j) {
        want = 0;
        for (std::int64_t i = 0; i < k; ++i) want += a[std::size_t(m * k + i)] * a[std::size_t(j * k + i)];
      }
      if (right_element("C", m, j, c[std::size_t(m * n + j)], want)) continue;
      if (m < j) std::puts("  it lies above the diagonal and must stay untouched");
      return 1;
    }
  }
  // The blocks on and below the diagonal, each with all of its elements.
  std::int64_t const tiles = (n + 31) / 32, most = tiles * (tiles + 1) / 2 * 32 * 32 * k;
  return at_most("right, but multiply-adds", report.counters.fma, most) ? 0 : 1;
}

}  // namespace

int main() {
  for (auto [n, k] : {std::pair<std::int64_t, std::int64_t>{96, 8}, {33, 5}, {1, 1}, {70, 0}}) {
    int const verdict = check(n, k);
    if (verdict == 0) continue;
    std::printf("  in a product of N = %d, K = %d\n", int(n), int(k));
    return verdict;
  }
  std::puts("right: the lower triangle, and half the work");
  return 0;
}
