// Grades the exercise: the chapter's kernel, unchanged, on the instruction with the reader's layouts.

#include EXERCISE_HEADER

#include <tilestep/backend/launch.hpp>  // launch, DeviceBuffer, take_reports

#include <cstdio>  // messages
#include <tuple>   // problems
#include <vector>  // matrices

using namespace tilestep;

namespace {

/// 0 right, 1 wrong, 4 hazard.
int check(std::int64_t m, std::int64_t n, std::int64_t k) {
  using Kernel = WarpGemm<MmaAtom<MyMfma>, OneAtom, half_t, float, float>;
  std::vector<half_t> a(std::size_t(m * k)), b(std::size_t(n * k));
  std::vector<float> c(std::size_t(m * n));
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = half_t(float(int(i * 7 % 11) - 4));
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = half_t(float(int(i * 5 % 13) - 7));

  DeviceBuffer<half_t> device_a("A", m * k), device_b("B", n * k);
  DeviceBuffer<float> device_c("C", m * n);
  device_a.upload(a.data(), m * k);
  device_b.upload(b.data(), n * k);
  auto const row_major = [](std::int64_t rows, std::int64_t cols) {
    return MatrixLayout(make_shape(rows, cols, std::int64_t(1)), make_stride(cols, std::int64_t(1), rows * cols));
  };
  Kernel::Params const params{
      device_a.data(), device_b.data(), device_c.data(), row_major(m, k), row_major(n, k), row_major(m, n), 1.0f, 0.0f};
  launch(Kernel{}, size(Kernel::grid(params)), params);
  device_c.download(c.data(), m * n);

  auto const report = take_reports().at(0);
  for (auto const& hazard : report.hazards) std::printf("%s: %s\n", hazard.kind.c_str(), hazard.message.c_str());
  if (!report.hazards.empty()) return 4;

  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      float want = 0;
      for (std::int64_t s = 0; s < k; ++s) want += float(a[std::size_t(i * k + s)]) * float(b[std::size_t(j * k + s)]);
      float const got = c[std::size_t(i * n + j)];
      if (!(got == want)) {
        std::printf("m = %lld, n = %lld, k = %lld: C(%lld,%lld) is %g and should be %g\n", static_cast<long long>(m),
                    static_cast<long long>(n), static_cast<long long>(k), static_cast<long long>(i),
                    static_cast<long long>(j), got, want);
        return 1;
      }
    }
  }
  return 0;
}

}  // namespace

int main() {
  set_run_options({.target = "gfx942", .schedule = {}, .check = true, .workers = 0});
  for (auto [m, n, k] : {std::tuple<int, int, int>{32, 32, 16}, {45, 37, 27}, {1, 1, 1}}) {
    if (int const verdict = check(m, n, k); verdict != 0) return verdict;
  }
  std::puts("right: the kernel multiplies with your layouts");
  return 0;
}
