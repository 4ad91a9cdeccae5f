// Grades the exercise: the chapter's kernel, unchanged, with the reader's tiles on gfx950. Right, in the fewest
// wavefronts, in no more memory.

#include EXERCISE_HEADER

#include "kernel.hpp"  // SwizzledGemm

#include <tilestep/backend/launch.hpp>     // launch, DeviceBuffer, take_reports
#include <tilestep/block/gemm_config.hpp>  // GemmConfig

#include <cstdio>  // messages
#include <vector>  // matrices

using namespace tilestep;

namespace {

using ChapterConfig =
    GemmConfig<CDNA_32x32x8_F32F16F16F32, BlockTile<256, 128, 32, 2, 2, 2>, half_t, Contiguous::k, Contiguous::k, 8>;

/// The chapter's configuration with the reader's tiles.
struct ReadersConfig : ChapterConfig {
  using SmemA = SmemTile<256>;
  using SmemB = SmemTile<128>;
};

using Kernel = SwizzledGemm<ReadersConfig, float, float>;

constexpr int m = 256, n = 256, k = 96;

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
  Kernel::Params const params{
      device_a.data(), device_b.data(), device_c.data(), rows_of(m, k), rows_of(n, k), rows_of(m, n), 1.0f, 0.0f};
  launch(Kernel{}, size(Kernel::grid(params)), params);
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
        std::printf("C(%d,%d) is %g and should be %d: two elements share a place\n", i, j, got, want);
        return 1;
      }
    }
  }

  auto const& counted = report.counters;
  auto const conflicts = [](char const* what, std::int64_t got, std::int64_t fewest) {
    if (got != fewest)
      std::printf("right, but shared memory %s in %lld wavefronts where %lld are enough\n", what,
                  static_cast<long long>(got), static_cast<long long>(fewest));
    return got != fewest;
  };
  bool const reads = conflicts("is read", counted.shared_load_wavefronts, counted.shared_load_wavefronts_ideal);
  bool const writes = conflicts("is written", counted.shared_store_wavefronts, counted.shared_store_wavefronts_ideal);
  constexpr int elements = cosize_v<ReadersConfig::SmemA> + cosize_v<ReadersConfig::SmemB>;
  if (elements != (256 + 128) * 32)
    std::printf("right, but the tiles take %d elements of shared memory where %d are enough\n", elements,
                (256 + 128) * 32);
  return reads || writes || elements != (256 + 128) * 32 ? 1 : 0;
}

}  // namespace

int main() {
  set_run_options({.target = "gfx950", .schedule = {}, .check = true, .workers = 0});
  if (int const verdict = check(); verdict != 0) return verdict;
  std::puts("right: 64 banks, and no two lanes meet in one");
  return 0;
}
