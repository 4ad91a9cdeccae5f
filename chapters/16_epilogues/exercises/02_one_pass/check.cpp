// Grades the exercise: runs the reader's epilogue on a tile of C, compares it with one computed here, and counts its
// loads and stores.

#include EXERCISE_HEADER

#include <tilestep/backend/launch.hpp>  // launch, DeviceBuffer, take_reports
#include <tilestep/harness/graded.hpp>  // no_hazard, right_element, at_most

#include <cstdio>  // messages
#include <vector>  // matrices

using namespace tilestep;

namespace {

constexpr int m = 64, n = 128;

/// One block of four warps.
struct FinishTile {
  struct Params {
    float* c;
    float const* bias;
    float const* residual;
  };
  using Shared = NoShared;
  static constexpr char const* name = "FinishTile";
  static constexpr int threads = 128;
  TS_DEVICE void operator()(Shared&, Params const& p) const { finish(global(p.c), global(p.bias), global(p.residual)); }
};

float c_at(int i) { return float(i * 7 % 23 - 11); }
float bias_at(int j) { return float(j * 5 % 9 - 6); }
float residual_at(int i) { return float(i * 3 % 17 - 20); }

}  // namespace

int main() {
  set_run_options({.target = "sm80", .schedule = {}, .check = true, .workers = 0});
  std::vector<float> c, bias, residual;
  for (int i = 0; i < m * n; ++i) c.push_back(c_at(i)), residual.push_back(residual_at(i));
  for (int j = 0; j < n; ++j) bias.push_back(bias_at(j));
  DeviceBuffer<float> device_c("C", m * n), device_bias("bias", n), device_residual("residual", m * n);
  device_c.upload(c.data(), m * n);
  device_bias.upload(bias.data(), n);
  device_residual.upload(residual.data(), m * n);
  launch(FinishTile{}, 1, FinishTile::Params{device_c.data(), device_bias.data(), device_residual.data()});
  device_c.download(c.data(), m * n);

  auto const report = take_reports().at(0);
  if (!no_hazard(report)) return 4;
  for (int i = 0; i < m * n; ++i) {
    float const sum = c_at(i) + bias_at(i % n), want = (sum < 0 ? 0 : sum) + residual_at(i);
    if (!right_element("C", i / n, i % n, double(c[std::size_t(i)]), double(want))) return 1;
  }
  // a row of C, one of the residual and one of the bias is a request of one warp
  if (!at_most("load requests", report.counters.global_load_requests, 2 * m + 4)) return 1;
  if (!at_most("store requests", report.counters.global_store_requests, m)) return 1;
  std::puts("right: C is read once and written once, by 16 bytes");
  return 0;
}
