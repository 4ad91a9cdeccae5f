// y = a x + y with one thread per element, on whatever backend the library was built for; and pictures of a layout.

#include <tilestep/cute.hpp>
#include <tilestep/tilestep.hpp>

#include <tilestep/backend/launch.hpp>
#include <tilestep/backend/runtime.hpp>

#include <cstdint>
#include <cstdio>
#include <vector>

using namespace tilestep;

struct SaxpyParams {
  float a;
  float const* x;
  float* y;
  std::int64_t count;
};

struct Saxpy {
  using Shared = NoShared;
  static constexpr int threads = 64;

  TS_DEVICE void operator()(Shared&, SaxpyParams const& p) const {
    auto x = make_tensor(global(p.x), make_layout(p.count));  // (N)
    auto y = make_tensor(global(p.y), make_layout(p.count));  // (N)
    std::int64_t const i = block_index() * threads + thread_index();
    if (i < size(x)) y(i) = fma(p.a, float(x(i)), float(y(i)));
  }
};

int main() {
  auto const rows = make_layout(make_shape(2, 3), LayoutRight{});
  std::printf("%s%zu bytes of SVG\n", text_layout(rows).c_str(), svg_layout(rows).size());
  print_layout(rows);

  require_device();
  constexpr std::int64_t count = 1000;
  std::vector<float> x(count), y(count), result(count);
  for (std::int64_t i = 0; i < count; ++i) x[i] = float(i), y[i] = float(3 * i % 7);

  DeviceBuffer<float> device_x("x", count), device_y("y", count);
  device_x.upload(x.data(), count);
  device_y.upload(y.data(), count);
  launch(Saxpy{}, ceil_div(count, std::int64_t(Saxpy::threads)),
         SaxpyParams{2, device_x.data(), device_y.data(), count});
  device_y.download(result.data(), count);

  std::size_t hazards = 0;
  for (KernelReport const& report : take_reports()) hazards += report.hazards.size();
  for (std::int64_t i = 0; i < count; ++i) {
    if (!(result[i] == 2 * x[i] + y[i])) {
      std::printf("y(%lld) is %g, not %g\n", static_cast<long long>(i), double(result[i]), double(2 * x[i] + y[i]));
      return 1;
    }
  }
  std::printf("right on %s, %zu hazards\n", device_name().c_str(), hazards);
  return hazards == 0 ? 0 : 4;
}
