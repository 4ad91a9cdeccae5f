// Grades the exercise: whole tiles on a GPU of each vendor, under several schedules, each result compared with
// sums computed here.

#include EXERCISE_HEADER

#include <tilestep/backend/launch.hpp>     // launch, DeviceBuffer, take_reports
#include <tilestep/block/gemm_config.hpp>  // GemmConfig
#include <tilestep/harness/graded.hpp>     // no_hazard, right_element

#include <string>  // targets
#include <vector>  // matrices

using namespace tilestep;

namespace {

/// 0 right, 1 wrong, 4 hazard: one problem of K = 128 with two tiles of C in each direction.
template <class Op, class BlkTile>
int check(std::string const& target, Schedule schedule) {
  using Kernel = MyGemm<GemmConfig<Op, BlkTile, half_t, Contiguous::k, Contiguous::k, 8>>;
  constexpr std::int64_t m = 2 * BlkTile::m, n = 2 * BlkTile::n, k = 4 * BlkTile::k;
  set_run_options({.target = target, .schedule = schedule, .check = true, .workers = 0});
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
  typename Kernel::Params const params{
      device_a.data(), device_b.data(), device_c.data(), row_major(m, k), row_major(n, k), row_major(m, n), 1.0f, 0.0f};
  launch(Kernel{}, size(Kernel::grid(params)), params);
  device_c.download(c.data(), m * n);

  auto const report = take_reports().at(0);
  if (!no_hazard(report)) return 4;
  if (report.counters.barriers != report.blocks * (k / BlkTile::k)) {
    std::printf("%s: %lld barriers where %lld tiles ask for one each\n", target.c_str(),
                static_cast<long long>(report.counters.barriers),
                static_cast<long long>(report.blocks * (k / BlkTile::k)));
    return 1;
  }
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      float want = 0;
      for (std::int64_t s = 0; s < k; ++s) want += float(a[std::size_t(i * k + s)]) * float(b[std::size_t(j * k + s)]);
      if (!right_element("C", i, j, c[std::size_t(i * n + j)], want)) return 1;
    }
  }
  return 0;
}

}  // namespace

int main() {
  for (auto const schedule : {Schedule{}, Schedule{Schedule::Kind::reverse, 0}, Schedule{Schedule::Kind::random, 1},
                              Schedule{Schedule::Kind::random, 2}}) {
    if (int const verdict = check<SM80_16x8x16_F32F16F16F32_TN, BlockTile<32, 32, 32, 2, 2>>("sm80", schedule);
        verdict != 0)
      return verdict;
    if (int const verdict = check<CDNA_32x32x8_F32F16F16F32, BlockTile<64, 32, 32, 2, 1>>("gfx942", schedule);
        verdict != 0)
      return verdict;
  }
  std::puts("right: one barrier for each tile, and no race");
  return 0;
}
