// Grades the exercise: the chapter's kernel, unchanged, with the reader's copy on rows that end anywhere.

#include EXERCISE_HEADER

#include <tilestep/backend/launch.hpp>     // launch, DeviceBuffer, take_reports
#include <tilestep/block/gemm_config.hpp>  // GemmConfig

#include <cstdio>  // messages
#include <limits>  // NaN
#include <vector>  // matrices

using namespace tilestep;

namespace {

using ChapterConfig =
    GemmConfig<SM80_16x8x16_F32F16F16F32_TN, BlockTile<128, 128, 32, 2, 2, 2>, half_t, Contiguous::k, Contiguous::k, 8>;

/// The chapter's configuration with the reader's copy: 32 x 4 threads, 8 elements each.
struct MaskedConfig : ChapterConfig {
  using CopyA = decltype(make_tiled_copy(CopyAtom<MaskedCopy<128>, half_t>{}, Layout<Shape<_32, _4>, Stride<_4, _1>>{},
                                         Layout<Shape<_1, _8>>{}));
  using CopyB = CopyA;
};

struct Product {
  std::vector<float> c;
  KernelReport report;
};

/// C = A B^T of whole numbers, rows of `pitch` elements: NaN from k on.
template <class Config>
Product multiply(int m, int n, int k, int pitch) {
  using Kernel = PaddedGemm<Config, float, float>;
  auto const matrix = [&](int rows, int factor, int modulus) {
    std::vector<half_t> values(std::size_t(rows * pitch), half_t(std::numeric_limits<float>::quiet_NaN()));
    for (int r = 0; r < rows; ++r) {
      for (int s = 0; s < k; ++s)
        values[std::size_t(r * pitch + s)] = half_t(float((r * 31 + s * factor) % modulus - modulus / 2));
    }
    return values;
  };
  std::vector<half_t> const a = matrix(m, 7, 11), b = matrix(n, 5, 13);
  DeviceBuffer<half_t> device_a("A", m * pitch), device_b("B", n * pitch);
  DeviceBuffer<float> device_c("C", m * n);
  device_a.upload(a.data(), m * pitch);
  device_b.upload(b.data(), n * pitch);
  auto const rows_of = [](std::int64_t rows, std::int64_t cols, std::int64_t stride) {
    return MatrixLayout(make_shape(rows, cols, std::int64_t(1)), make_stride(stride, std::int64_t(1), rows * stride));
  };
  typename Kernel::Params const params{device_a.data(),
                                       device_b.data(),
                                       device_c.data(),
                                       rows_of(m, k, pitch),
                                       rows_of(n, k, pitch),
                                       rows_of(m, n, n),
                                       1.0f,
                                       0.0f};
  launch(Kernel{}, size(Kernel::grid(params)), params);
  Product product{std::vector<float>(std::size_t(m * n)), {}};
  device_c.download(product.c.data(), m * n);
  product.report = take_reports().at(0);
  return product;
}

/// 0 right, 1 wrong, 4 hazard. The same product with whole vectors, K = pitch, says how many loads there may be.
int check(int m, int n, int k, int pitch) {
  Product const got = multiply<MaskedConfig>(m, n, k, pitch);
  for (auto const& hazard : got.report.hazards) std::printf("%s: %s\n", hazard.kind.c_str(), hazard.message.c_str());
  if (!got.report.hazards.empty()) return 4;

  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      float want = 0;
      for (int s = 0; s < k; ++s) want += float((i * 31 + s * 7) % 11 - 5) * float((j * 31 + s * 5) % 13 - 6);
      float const is = got.c[std::size_t(i * n + j)];
      if (!(is == want)) {
        std::printf("m = %d, n = %d, k = %d, rows of %d elements: C(%d,%d) is %g and should be %g\n", m, n, k, pitch, i,
                    j, is, want);
        return 1;
      }
    }
  }

  auto const loads = got.report.counters.global_load_requests;
  auto const enough = multiply<ChapterConfig>(m, n, pitch, pitch).report.counters.global_load_requests;
  if (loads != enough) {
    std::printf("right, but in %lld load requests where %lld are enough: read whole vectors\n",
                static_cast<long long>(loads), static_cast<long long>(enough));
    return 1;
  }
  return 0;
}

}  // namespace

int main() {
  set_run_options({.target = "sm80", .schedule = {}, .check = true, .workers = 0});
  for (int const k : {67, 32, 1, 71, 33}) {
    if (int const verdict = check(45, 131, k, (k + 7) / 8 * 8); verdict != 0) return verdict;
  }
  std::puts("right: whole vectors, and zeros where a row has ended");
  return 0;
}
