// Grades the exercise: runs the second pass, compares its sums with those computed here, and the number of its load
// requests with the reader's.

#include EXERCISE_HEADER

#include <tilestep/backend/launch.hpp>     // launch, DeviceBuffer, take_reports
#include <tilestep/block/gemm_params.hpp>  // MatrixLayout
#include <tilestep/block/split_k.hpp>      // AddSlices
#include <tilestep/harness/graded.hpp>     // no_hazard, right_element, predicted

#include <cstdio>  // messages
#include <vector>  // slices

using namespace tilestep;

namespace {

constexpr int m = 96, n = 100, slices = 5;

MatrixLayout rows_of(std::int64_t batch) {
  return MatrixLayout(make_shape(std::int64_t(m), std::int64_t(n), batch),
                      make_stride(std::int64_t(n), std::int64_t(1), std::int64_t(m * n)));
}

}  // namespace

int main() {
  set_run_options({.target = "sm80", .schedule = {}, .check = true, .workers = 0});
  std::vector<float> values, c(std::size_t(m * n));
  for (int i = 0; i < m * n * slices; ++i) values.push_back(float(i * 7 % 13 - 6));
  DeviceBuffer<float> device_sums("sums", m * n * slices), device_c("C", m * n);
  device_sums.upload(values.data(), m * n * slices);
  using Pass = AddSlices<float, float, float, MatrixLayout>;
  Pass::Params const params{device_sums.data(), device_c.data(), rows_of(slices), rows_of(1), 1, 0};
  launch(Pass{}, size(Pass::grid(params)), params);
  device_c.download(c.data(), m * n);

  auto const report = take_reports().at(0);
  if (!no_hazard(report)) return 4;
  for (int i = 0; i < m * n; ++i) {
    float want = 0;
    for (int slice = 0; slice < slices; ++slice) want += values[std::size_t(slice * m * n + i)];
    if (!right_element("C", i / n, i % n, double(c[std::size_t(i)]), double(want))) return 1;
  }
  if (!predicted("load requests of the second pass", answer, report.counters.global_load_requests)) return 1;
  std::puts("right: a request for each warp, row and slice that exists");
  return 0;
}
