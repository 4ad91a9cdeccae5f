// Grades the exercise: matrices of whole and of ragged tiles, then what the whole ones ask of memory and of the banks.

#include EXERCISE_HEADER

#include <tilestep/backend/launch.hpp>  // launch, DeviceBuffer, take_reports
#include <tilestep/harness/graded.hpp>  // no_hazard, right_element, at_most

#include <limits>  // NaN
#include <vector>  // matrices

using namespace tilestep;

namespace {

/// 0 right, 1 wrong, 4 hazard.
int check(int M, int N) {
  auto const wrong = [&](int verdict) {
    std::printf("  of a matrix of %d x %d\n", M, N);
    return verdict;
  };
  std::vector<float> in, got(std::size_t(M * N), std::numeric_limits<float>::quiet_NaN());
  for (int i = 0; i < M * N; ++i) in.push_back(float(i + 1));
  DeviceBuffer<float> device_in("in", M * N), device_out("out", M * N);
  device_in.upload(in.data(), M * N);
  device_out.upload(got.data(), M * N);
  launch(Transpose{}, (M + 31) / 32 * ((N + 31) / 32), TransposeParams{device_in.data(), device_out.data(), M, N});
  device_out.download(got.data(), M * N);
  auto const report = take_reports().at(0);
  if (!no_hazard(report)) return wrong(4);
  for (int i = 0; i < M * N; ++i) {
    if (!right_element("out", i / M, i % M, got[std::size_t(i)], double(i % M * N + i / M + 1))) return wrong(1);
  }
  if (M % 32 != 0 || N % 32 != 0) return 0;
  auto const& counted = report.counters;
  bool good = at_most("right, but sectors loaded", counted.global_load_sectors, M * N / 8);
  good &= at_most("right, but sectors stored", counted.global_store_sectors, M * N / 8);
  good &= at_most("right, but wavefronts that write the tile", counted.shared_store_wavefronts, M * N / 32);
  good &= at_most("right, but wavefronts that read the tile", counted.shared_load_wavefronts, M * N / 32);
  good &= at_most("right, but bytes of shared memory", sizeof(Transpose::Shared), 32 * 36 * 4);
  return good ? 0 : wrong(1);
}

}  // namespace

int main() {
  set_run_options({.target = "sm80", .schedule = {}, .check = true, .workers = 0});
  if (int const verdict = check(64, 96); verdict != 0) return verdict;
  if (int const verdict = check(33, 65); verdict != 0) return verdict;
  if (int const verdict = check(1, 1); verdict != 0) return verdict;
  std::puts("right: whole sectors on both sides, and no two lanes in one bank");
  return 0;
}
