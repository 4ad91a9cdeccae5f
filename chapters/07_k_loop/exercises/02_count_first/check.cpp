// Grades the exercise: the chapter's kernel runs once, and the reader's numbers are compared with its counters.

#include EXERCISE_HEADER

#include "kernel.hpp"  // KLoopGemm

#include <tilestep/backend/launch.hpp>     // launch, DeviceBuffer, take_reports
#include <tilestep/block/gemm_config.hpp>  // GemmConfig
#include <tilestep/harness/graded.hpp>     // no_hazard, predicted

#include <vector>  // matrices

using namespace tilestep;

int main() {
  using Kernel = k_loop::KLoopGemm<GemmConfig<SM80_16x8x16_F32F16F16F32_TN, BlockTile<64, 64, 32, 2, 2>, half_t,
                                              Contiguous::k, Contiguous::k, 8>,
                                   float, float>;
  constexpr std::int64_t m = 128, n = 64, k = 96;
  set_run_options({.target = "sm80", .schedule = {}, .check = true, .workers = 0});
  DeviceBuffer<half_t> a("A", m * k), b("B", n * k);
  DeviceBuffer<float> c("C", m * n);
  a.upload(std::vector<half_t>(m * k).data(), m * k);
  b.upload(std::vector<half_t>(n * k).data(), n * k);
  auto const row_major = [](std::int64_t rows, std::int64_t cols) {
    return MatrixLayout(make_shape(rows, cols, std::int64_t(1)), make_stride(cols, std::int64_t(1), rows * cols));
  };
  Kernel::Params const params{
      a.data(), b.data(), c.data(), row_major(m, k), row_major(n, k), row_major(m, n), 1.0f, 0.0f};
  launch(Kernel{}, size(Kernel::grid(params)), params);

  auto const report = take_reports().at(0);
  if (!no_hazard(report)) return 4;
  auto const& counted = report.counters;
  bool right = predicted("barriers", barriers, counted.barriers);
  right &= predicted("load requests of a warp", load_requests, counted.global_load_requests);
  right &= predicted("matrix instructions of a warp", matrix_instructions, counted.matrix_instructions.at(0).count);
  if (right) std::puts("right: every number is what the virtual GPU counts");
  return right ? 0 : 1;
}
