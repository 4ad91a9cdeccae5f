// Grades the exercise: sums of rows of many lengths and beginnings, a warp for each, and the load requests that they
// take.

#include EXERCISE_HEADER

#include <tilestep/backend/launch.hpp>  // launch, DeviceBuffer, take_reports
#include <tilestep/harness/graded.hpp>  // no_hazard, right_element, at_most

#include <limits>  // NaN
#include <vector>  // matrices

using namespace tilestep;

namespace {

constexpr int rows = 5;

struct Params {
  float const* in;
  float* out;
  int cols, pitch;
};

/// out[m] = the sum of row m. A block is one warp and has one row.
struct RowSums {
  using Params = ::Params;
  using Shared = NoShared;
  static constexpr char const* name = "RowSums";
  static constexpr int threads = 32;
  TS_DEVICE void operator()(Shared&, Params const& p) const {
    float sum = part_of_sum(global(p.in), block_index() * p.pitch, p.cols);
    for (int mask = 16; mask > 0; mask /= 2) sum += shuffle_xor(sum, mask);
    if (lane_index() == 0) global(p.out)[block_index()] = sum;
  }
};

/// 0 right, 1 wrong, 4 hazard.
int check(int cols, int pitch) {
  std::vector<float> in, got(rows);
  for (int i = 0; i < rows * pitch; ++i)
    in.push_back(i % pitch < cols ? float(i * 7 % 23 - 9) : std::numeric_limits<float>::quiet_NaN());
  DeviceBuffer<float> device_in("in", rows * pitch), device_out("sum", rows);
  device_in.upload(in.data(), rows * pitch);
  launch(RowSums{}, rows, Params{device_in.data(), device_out.data(), cols, pitch});
  device_out.download(got.data(), rows);
  auto const report = take_reports().at(0);
  std::int64_t const most = rows * ((cols + 127) / 128 + 2);
  bool right = no_hazard(report);
  int verdict = right ? 0 : 4;
  for (int m = 0; m < rows && right; ++m) {
    double want = 0;
    for (int k = 0; k < cols; ++k) want += in[std::size_t(m * pitch + k)];
    right = right_element("sum", m, 0, got[std::size_t(m)], want);
  }
  if (right) right = at_most("right, but load requests", report.counters.global_load_requests, most);
  if (right) return 0;
  std::printf("  of %d rows of %d elements, %d elements apart\n", rows, cols, pitch);
  return verdict == 4 ? 4 : 1;
}

}  // namespace

int main() {
  set_run_options({.target = "sm80", .schedule = {}, .check = true, .workers = 0});
  for (int const cols : {1001, 1000, 1002, 999, 128, 33, 3, 2, 1, 0}) {
    for (int const more : {0, 1, 2, 3}) {
      if (int const verdict = cols + more > 0 ? check(cols, cols + more) : 0; verdict != 0) return verdict;
    }
  }
  std::puts("right: whole vectors in the middle, single elements at both ends");
  return 0;
}
