// Kernels, so the backend's compiler reads this file.

#include <tilestep/harness/finish_slices.hpp>

#include <tilestep/backend/mbarrier.hpp>       // backend_has_hopper
#include <tilestep/block/finish_slices.hpp>    // FinishSlices
#include <tilestep/harness/gemm_epilogue.hpp>  // epilogue_of
#include <tilestep/harness/gemm_launch.hpp>    // launch, detail::matrix_layout
#include <tilestep/harness/next_kernel.hpp>    // next_may_begin

namespace tilestep {

namespace {

/// The launch. @tparam OVERLAPS  this pass is launched while the kernel before it runs
template <class TScale, class TNarrow, class TSum, bool OVERLAPS>
void start(GemmJob const& job, GemmCall const& sums, int slices) {
  using E = Epilogue<TScale, TNarrow, MatrixLayout>;
  GemmCall const& call = job.call;
  FinishSlicesParams<E, MatrixLayout, TSum> const params{
      static_cast<TSum const*>(sums.c), detail::matrix_layout(call.m, call.n, call.batch * slices, sums.stride_c),
      epilogue_of<TScale, TNarrow>(job), !job.copied_a && !job.copied_b && next_may_begin(call)};
  auto const go = [&](auto kernel) { launch(kernel, size(decltype(kernel)::grid(params)), params); };
  constexpr int vec = 16 / int(sizeof(TScale));
  if (call.stride_c.row == 1 && call.stride_c.col != 1) go(FinishSlices<E, MatrixLayout, 1, true, TSum, OVERLAPS>{});
  else if (params.epilogue.wide && call.n % vec == 0) go(FinishSlices<E, MatrixLayout, vec, false, TSum, OVERLAPS>{});
  else go(FinishSlices<E, MatrixLayout, 1, false, TSum, OVERLAPS>{});
}
template <class TScale, class TNarrow, class TSum = TScale>
void finish(GemmJob const& job, GemmCall const& sums, int slices) {
  if (second_pass_overlaps(job.call)) start<TScale, TNarrow, TSum, backend_has_hopper>(job, sums, slices);
  else start<TScale, TNarrow, TSum, false>(job, sums, slices);
}

}  // namespace

bool second_pass_overlaps(GemmCall const& call) {
  using Overlapping = FinishSlices<Epilogue<float, bfloat16_t, MatrixLayout>, MatrixLayout, 1, false, float, true>;
  return backend_has_hopper && call.target == Overlapping::only_on;
}

void finish_slices(GemmJob const& job, GemmCall const& sums, int slices) {
  if (sums.out == DType::bf16) finish<float, bfloat16_t, bfloat16_t>(job, sums, slices);
  else if (sums.out == DType::f16 && job.call.acc == DType::f32) finish<float, half_t, half_t>(job, sums, slices);
  else if (job.call.acc == DType::i32) finish<std::int32_t, std::int32_t>(job, sums, slices);
  else if (job.call.acc == DType::f64) finish<double, double>(job, sums, slices);
  else if (job.call.out == DType::bf16) finish<float, bfloat16_t>(job, sums, slices);
  else finish<float, half_t>(job, sums, slices);
}

}  // namespace tilestep
