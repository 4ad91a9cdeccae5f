// Rows of many lengths, stored along N or along M, compared with a softmax in double.

#include "softmax.hpp"

#include <tilestep/backend/launch.hpp>
#include <tilestep/backend/runtime.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

using namespace tilestep;

namespace {

/// Wrong elements of a problem. @param ld  distance of rows, or where `along_m` of columns
int wrong(std::int64_t M, std::int64_t N, std::int64_t ld, bool along_m) {
  auto const layout =
      MatrixView(make_shape(M, N), along_m ? make_stride(std::int64_t{1}, ld) : make_stride(ld, std::int64_t{1}));
  auto const count = (along_m ? N : M) * ld;
  std::vector<float> x(count), y(count, -7);
  for (std::int64_t i = 0; i < count; ++i) x[i] = float(i * 2654435761 % 4001) / 100 - 20;  // -20 to 20

  DeviceBuffer<float> device_x("x", count), device_y("y", count);
  device_x.upload(x.data(), count);
  device_y.upload(y.data(), count);
  launch(RowSoftmax{}, M, SoftmaxParams{device_x.data(), device_y.data(), layout, layout});
  device_y.download(y.data(), count);

  int found = 0;
  double total = 0;
  for (std::int64_t m = 0; m < M; ++m) {
    double most = -INFINITY, sum = 0;
    for (std::int64_t n = 0; n < N; ++n) most = std::max(most, double(x[layout(m, n)]));
    for (std::int64_t n = 0; n < N; ++n) sum += std::exp(x[layout(m, n)] - most);
    for (std::int64_t n = 0; n < N; ++n) {
      double const want = std::exp(x[layout(m, n)] - most) / sum;
      found += !(std::abs(y[layout(m, n)] - want) <= 2e-5 * want);
      total += y[layout(m, n)];
      y[layout(m, n)] = -7;
    }
  }
  for (float const value : y) found += value != -7;  // nothing was written between rows
  return found + !(std::abs(total - double(M)) <= 1e-4 * double(M));
}

}  // namespace

int main(int argc, char** argv) {
  RunOptions options;
  if (argc > 1) options.target = argv[1];
  set_run_options(options);
  require_device();
  int bad = 0;
  for (std::int64_t const N : {1, 2, 127, 128, 511, 512, 513, 1000, 5000}) {
    bad += wrong(5, N, N + 3, false);
    bad += wrong(37, N, 40, true);
  }
  std::size_t hazards = 0;
  for (KernelReport const& report : take_reports()) hazards += report.hazards.size();
  std::printf("row softmax on %s (%s): %d wrong elements, %zu hazards\n", device_name().c_str(),
              std::string(target().name).c_str(), bad, hazards);
  return bad != 0 ? 1 : hazards != 0 ? 4 : 0;
}
