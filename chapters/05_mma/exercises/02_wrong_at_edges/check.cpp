// Grades the exercise: whole tiles, then problems that are ragged along one mode after the other.

#include EXERCISE_HEADER

#include <tilestep/backend/launch.hpp>   // launch
#include <tilestep/backend/runtime.hpp>  // DeviceBuffer, take_reports, set_run_options
#include <tilestep/harness/graded.hpp>   // no_hazard, right_element

#include <cstdio>  // messages
#include <tuple>   // problems
#include <vector>  // matrices

using namespace tilestep;

namespace {

MatrixLayout by_rows(std::int64_t rows, std::int64_t cols) {
  return MatrixLayout(make_shape(rows, cols, std::int64_t(1)), make_stride(cols, std::int64_t(1), rows * cols));
}

/// 0 right, 1 wrong, 4 hazard.
int check(std::int64_t M, std::int64_t N, std::int64_t K) {
  std::vector<half_t> a(std::size_t(M * K)), b(std::size_t(N * K));
  std::vector<float> c(std::size_t(M * N), -1234.5f);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = half_t(float(int(i * 7 % 11) - 4));
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = half_t(float(int(i * 5 % 13) - 7));
  DeviceBuffer<half_t> device_a("A", M * K), device_b("B", N * K);
  DeviceBuffer<float> device_c("C", M * N);
  device_a.upload(a.data(), M * K);
  device_b.upload(b.data(), N * K);
  device_c.upload(c.data(), M * N);
  EdgeParams const params{
      device_a.data(), device_b.data(), device_c.data(), by_rows(M, K), by_rows(N, K), by_rows(M, N)};
  launch(EdgeGemm{}, size(EdgeGemm::grid(params)), params);
  device_c.download(c.data(), M * N);

  if (!no_hazard(take_reports().at(0))) return 4;
  for (std::int64_t m = 0; m < M; ++m) {
    for (std::int64_t n = 0; n < N; ++n) {
      float want = 0;
      for (std::int64_t k = 0; k < K; ++k) want += float(a[std::size_t(m * K + k)]) * float(b[std::size_t(n * K + k)]);
      if (!right_element("C", m, n, c[std::size_t(m * N + n)], want)) return 1;
    }
  }
  return 0;
}

}  // namespace

int main() {
  set_run_options({.target = "sm80", .schedule = {}, .check = true, .workers = 0});
  for (auto const& [M, N, K] :
       {std::tuple{32, 32, 32}, {32, 32, 24}, {32, 37, 16}, {37, 32, 16}, {1, 1, 1}, {45, 70, 27}}) {
    int const verdict = check(M, N, K);
    if (verdict == 0) continue;
    std::printf("  in a product of M = %d, N = %d, K = %d\n", M, N, K);
    return verdict;
  }
  std::puts("right: at the edge of M, of N and of K");
  return 0;
}
