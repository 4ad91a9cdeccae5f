// Kernels, so the backend's compiler reads this file.

#include <tilestep/harness/split_k.hpp>

#include <tilestep/block/split_k.hpp>        // AddSlices
#include <tilestep/harness/gemm_launch.hpp>  // launch, matrix_layout

namespace tilestep {

namespace {

template <class TSum, class TOut>
void add_slices_of(GemmCall const& call, GemmCall const& sums, int slices) {
  using Kernel = AddSlices<TSum, TOut, TSum, MatrixLayout>;
  typename Kernel::Params const params{static_cast<TSum const*>(sums.c),
                                       static_cast<TOut*>(call.c),
                                       detail::matrix_layout(call.m, call.n, call.batch * slices, sums.stride_c),
                                       detail::matrix_layout(call.m, call.n, call.batch, call.stride_c),
                                       static_cast<TSum>(call.alpha),
                                       static_cast<TSum>(call.beta)};
  launch(Kernel{}, size(Kernel::grid(params)), params);
}

}  // namespace

void add_slices(GemmCall const& call, GemmCall const& sums, int slices) {
  if (call.acc == DType::i32) add_slices_of<std::int32_t, std::int32_t>(call, sums, slices);
  else if (call.acc == DType::f64) add_slices_of<double, double>(call, sums, slices);
  else if (call.out == DType::f16) add_slices_of<float, half_t>(call, sums, slices);
  else if (call.out == DType::bf16) add_slices_of<float, bfloat16_t>(call, sums, slices);
  else add_slices_of<float, float>(call, sums, slices);
}

}  // namespace tilestep
