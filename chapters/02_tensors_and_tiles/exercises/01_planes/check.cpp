// Grades the exercise: the planes must be right, and writing them must not touch more memory than there is in them.

#include EXERCISE_HEADER

#include <tilestep/backend/launch.hpp>   // launch
#include <tilestep/backend/runtime.hpp>  // DeviceBuffer, take_reports, set_run_options
#include <tilestep/harness/graded.hpp>   // no_hazard

#include <cstdio>  // messages
#include <vector>  // host memory

using namespace tilestep;

namespace {

/// 0 right, 1 wrong, 4 hazard.
int check(char const* machine, std::int64_t rows, std::int64_t columns) {
  RunOptions options;
  options.target = machine;
  set_run_options(options);
  std::int64_t const size = rows * columns * 3;
  std::vector<float> pixels(std::size_t(size), 0), planes(std::size_t(size), 0);
  for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = float(i);

  DeviceBuffer<float> device_pixels("pixels", size), device_planes("planes", size);
  device_pixels.upload(pixels.data(), size);
  device_planes.upload(planes.data(), size);
  PlanesParams const params{device_pixels.data(), device_planes.data(), rows, columns};
  launch(TakeApart{}, tilestep::size(TakeApart::grid(params)), params);
  device_planes.download(planes.data(), size);

  KernelReport const report = take_reports().at(0);
  if (!no_hazard(report)) return 4;

  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t column = 0; column < columns; ++column) {
      for (std::int64_t colour = 0; colour < 3; ++colour) {
        float const want = pixels[std::size_t((row * columns + column) * 3 + colour)];
        float const got = planes[std::size_t((colour * rows + row) * columns + column)];
        if (got == want) continue;
        std::printf("%d x %d: pixel (%d,%d), colour %d is %g and should be %g\n", int(rows), int(columns), int(row),
                    int(column), int(colour), double(got), double(want));
        return 1;
      }
    }
  }
  Counters const& counters = report.counters;
  if (counters.global_store_sectors > counters.global_store_sectors_ideal) {
    std::printf("%d x %d on %s: the planes are right, but the writes touch %lld sectors where %lld would do\n",
                int(rows), int(columns), machine, static_cast<long long>(counters.global_store_sectors),
                static_cast<long long>(counters.global_store_sectors_ideal));
    return 1;
  }
  return 0;
}

}  // namespace

int main() {
  for (char const* machine : {"sm80", "gfx942"}) {
    for (auto const& [rows, columns] : {std::pair{32, 32}, {32, 96}, {96, 64}}) {
      if (int const verdict = check(machine, rows, columns); verdict != 0) return verdict;
    }
  }
  std::puts("right: three planes, and every sector is written once");
  return 0;
}
