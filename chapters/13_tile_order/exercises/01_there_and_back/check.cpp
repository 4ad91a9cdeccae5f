// Grades the exercise: the reader's order on every small grid, and then under the chapter's kernel.

#include EXERCISE_HEADER

#include "kernel.hpp"  // OrderedGemm

#include <tilestep/backend/launch.hpp>     // launch, DeviceBuffer, take_reports
#include <tilestep/block/gemm_config.hpp>  // GemmConfig

#include <cstdio>  // messages
#include <vector>  // matrices

using namespace tilestep;

namespace {

/// Every tile once, groups after each other, and no jump from one group to the next.
bool is_right(int tiles_m, int tiles_n, int group) {
  auto const wrong = [&](int number, char const* what) {
    std::printf("%d x %d tiles in groups of %d: number %d %s\n", tiles_m, tiles_n, group, number, what);
    return false;
  };
  std::vector<bool> taken(std::size_t(tiles_m * tiles_n));
  int before_m = 0, before_n = 0;
  for (int number = 0; number < tiles_m * tiles_n; ++number) {
    auto const [m, n] = there_and_back(number, tiles_m, tiles_n, group);
    if (m < 0 || m >= tiles_m || n < 0 || n >= tiles_n) return wrong(number, "is a tile outside of C");
    if (taken[std::size_t(m * tiles_n + n)]) return wrong(number, "is a tile that another number has");
    taken[std::size_t(m * tiles_n + n)] = true;
    if (number > 0 && m / group < before_m / group) return wrong(number, "is in a group that was done");
    if (number > 0 && m / group == before_m / group && n == before_n && m != before_m + 1)
      return wrong(number, "does not go down its column");
    if (number > 0 && m / group != before_m / group && n != before_n)
      return wrong(number, "begins a group in another column than the one before ended");
    before_m = m, before_n = n;
  }
  return true;
}

using Config = Pipeline<GemmConfig<SM80_16x8x16_F32F16F16F32_TN, BlockTile<64, 64, 32, 2, 2>, half_t, Contiguous::k,
                                   Contiguous::k, 8, Arrangement::swizzled>,
                        Route::async, 3>;

/// The chapter's kernel in the reader's order.
struct ReadersGemm : OrderedGemm<Config, float, float> {
  TS_DEVICE void operator()(Shared& memory, Params const& p) const {
    auto const [m, n] = there_and_back(int(block_index()), p.schedule.tiles_m, p.schedule.tiles_n, p.schedule.group);
    compute(memory, p, make_coord(std::int64_t(m), std::int64_t(n), std::int64_t(0), std::int64_t(0)));
  }
};

constexpr int m = 320, n = 192, k = 64;

int value_of(int row, int col, int factor, int modulus) { return (row * 31 + col * factor) % modulus - modulus / 2; }

std::vector<half_t> matrix(int rows, int factor, int modulus) {
  std::vector<half_t> values;
  for (int row = 0; row < rows; ++row) {
    for (int col = 0; col < k; ++col) values.push_back(half_t(float(value_of(row, col, factor, modulus))));
  }
  return values;
}

MatrixLayout rows_of(std::int64_t rows, std::int64_t cols) {
  return MatrixLayout(make_shape(rows, cols, std::int64_t(1)), make_stride(cols, std::int64_t(1), rows * cols));
}

/// 0 right, 1 wrong, 4 hazard.
int check() {
  DeviceBuffer<half_t> device_a("A", m * k), device_b("B", n * k);
  DeviceBuffer<float> device_c("C", m * n);
  device_a.upload(matrix(m, 7, 11).data(), m * k);
  device_b.upload(matrix(n, 5, 13).data(), n * k);
  device_c.upload(std::vector<float>(std::size_t(m * n), -1e9f).data(), m * n);
  TileSchedule schedule;
  schedule.tiles_m = 5;
  schedule.tiles_n = 3;
  schedule.group = 2;
  schedule.blocks = 15;
  ReadersGemm::Params const params{
      {device_a.data(), device_b.data(), device_c.data(), rows_of(m, k), rows_of(n, k), rows_of(m, n), 1.0f, 0.0f},
      schedule};
  launch(ReadersGemm{}, schedule.blocks, params);
  std::vector<float> c(std::size_t(m * n));
  device_c.download(c.data(), m * n);

  auto const report = take_reports().at(0);
  for (auto const& hazard : report.hazards) std::printf("%s: %s\n", hazard.kind.c_str(), hazard.message.c_str());
  if (!report.hazards.empty()) return 4;
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      int want = 0;
      for (int s = 0; s < k; ++s) want += value_of(i, s, 7, 11) * value_of(j, s, 5, 13);
      float const got = c[std::size_t(i * n + j)];
      if (!(got == float(want))) {
        std::printf("C(%d,%d) is %g and should be %d: no block computed tile (%d,%d)\n", i, j, double(got), want,
                    i / 64, j / 64);
        return 1;
      }
    }
  }
  return 0;
}

}  // namespace

int main() {
  set_run_options({.target = "sm80", .schedule = {}, .check = true, .workers = 0});
  if (int const verdict = check(); verdict != 0) return verdict;
  for (int tiles_m = 1; tiles_m <= 9; ++tiles_m) {
    for (int tiles_n = 1; tiles_n <= 9; ++tiles_n) {
      for (int group = 1; group <= tiles_m; ++group) {
        if (!is_right(tiles_m, tiles_n, group)) return 1;
      }
    }
  }
  std::puts("right: every tile once, and no jump between groups");
  return 0;
}
