// Kernels, so the backend's compiler reads this file.

#include <tilestep/harness/finish_slices.hpp>

#include <tilestep/block/finish_slices.hpp>    // FinishSlices
#include <tilestep/harness/gemm_epilogue.hpp>  // epilogue_of
#include <tilestep/harness/gemm_launch.hpp>    // launch, detail::matrix_layout

namespace tilestep {

namespace {

template <class TScale, class TNarrow, class TSum = TScale>
void finish(GemmJob const& job, GemmCall const& sums, int slices) {
  using E = Epilogue<TScale, TNarrow, MatrixLayout>;
  GemmCall const& call = job.call;
  FinishSlicesParams<E, MatrixLayout, TSum> const params{
      static_cast<TSum const*>(sums.c), detail::matrix_layout(call.m, call.n, call.batch * slices, sums.stride_c),
      epilogue_of<TScale, TNarrow>(job)};
  auto const go = [&](auto kernel) { launch(kernel, size(decltype(kernel)::grid(params)), params); };
  constexpr int vec = 16 / int(sizeof(TScale));
  if (call.stride_c.row == 1 && call.stride_c.col != 1) go(FinishSlices<E, MatrixLayout, 1, true, TSum>{});
  else if (params.epilogue.wide && call.n % vec == 0) go(FinishSlices<E, MatrixLayout, vec, false, TSum>{});
  else go(FinishSlices<E, MatrixLayout, 1, false, TSum>{});
}

}  // namespace

void finish_slices(GemmJob const& job, GemmCall const& sums, int slices) {
  if (sums.out == DType::bf16) finish<float, bfloat16_t, bfloat16_t>(job, sums, slices);
  else if (sums.out == DType::f16 && job.call.acc == DType::f32) finish<float, half_t, half_t>(job, sums, slices);
  else if (job.call.acc == DType::i32) finish<std::int32_t, std::int32_t>(job, sums, slices);
  else if (job.call.acc == DType::f64) finish<double, double>(job, sums, slices);
  else if (job.call.out == DType::bf16) finish<float, bfloat16_t>(job, sums, slices);
  else finish<float, half_t>(job, sums, slices);
}

}  // namespace tilestep
