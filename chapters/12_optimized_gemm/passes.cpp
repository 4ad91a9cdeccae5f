#include "kernel.hpp"    // as in every source with kernels
#include "families.hpp"  // repacked, in_workspace, finish_slices

#include <tilestep/block/finish_slices.hpp>  // FinishSlices
#include <tilestep/harness/repack.hpp>       // repack
#include <tilestep/harness/split_k.hpp>      // into_workspace

namespace tilestep {

namespace {

template <class TScale, class TNarrow>
void finish(Job const& job, GemmCall const& sums, int slices) {
  using E = Epilogue<TScale, TNarrow, MatrixLayout>;
  GemmCall const& call = job.call;
  FinishSlicesParams<E, MatrixLayout> const params{static_cast<TScale const*>(sums.c), detail::matrix_layout(call.m, call.n, call.batch * slices, sums.stride_c), epilogue_of<TScale, TNarrow>(job)};
  auto const go = [&](auto kernel) { launch(kernel, size(decltype(kernel)::grid(params)), params); };
  if (params.epilogue.wide && call.n % 4 == 0) go(FinishSlices<E, MatrixLayout, 4>{});
  else go(FinishSlices<E, MatrixLayout, 1>{});
}

}  // namespace

GemmCall repacked(GemmCall const& call, bool a, bool b) { return repack(call, a, b); }

GemmCall in_workspace(GemmCall const& call, int slices) {
  GemmCall sums = into_workspace(call, slices);
  sums.epilogue = {};
  return sums;
}

void finish_slices(Job const& job, GemmCall const& sums, int slices) {
  if (job.call.acc == DType::i32) finish<std::int32_t, std::int32_t>(job, sums, slices);
  else if (job.call.out == DType::bf16) finish<float, bfloat16_t>(job, sums, slices);
  else finish<float, half_t>(job, sums, slices);
}

}  // namespace tilestep
