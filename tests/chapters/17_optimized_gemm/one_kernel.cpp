// One of chapter 17's kernels behind the command line that all GEMM chapters share, for mutants: f16 operands that lie
// along K, tiles of 64 x 128, two in shared memory, so that the sums leave in two slices. K in slices with --split-k.

#include "kernel.hpp"    // OptimizedGemm
#include "variants.hpp"  // TileVariant

#include <tilestep/block/finish_slices.hpp>    // FinishSlices
#include <tilestep/harness/gemm_epilogue.hpp>  // epilogue_of
#include <tilestep/harness/gemm_options.hpp>   // GemmOwnOptions
#include <tilestep/harness/gemm_schedule.hpp>  // schedule_for
#include <tilestep/harness/workspace.hpp>      // into_workspace

int main(int argc, char** argv) {
  using namespace tilestep;
  using namespace optimized_gemm;
  using Variant = Product<SM80_16x8x16_F32F16F16F32_TN, half_t>;
  using OneWay = TileVariant<BlockTile<64, 128, 32, 2, 2>, Route::async, 2>;
  using Pass = FinishSlices<Epilogue<float, half_t, MatrixLayout>, MatrixLayout, 4>;
  static std::int64_t split_k = 1;

  GemmChapter chapter;
  chapter.name = "one_kernel";
  chapter.adds = "one of chapter 17's kernels";
  chapter.types = {{.dtype = DType::f16,
                    .acc = DType::f32,
                    .out = DType::f32,
                    .targets = {"sm80", "sm90"},
                    .truncating = true,
                    .layouts = {"nt"}}};
  chapter.epilogues = true;
  chapter.run = [](GemmCall const& call) {
    GemmJob job{call, schedule_for(call, {64, 128, 32, 1}, {.split_k = split_k})};
    if (split_k > 1) job.call = into_workspace(call, int(split_k));
    OneWay::run<Variant, Contiguous::k, Contiguous::k>(job);
    if (split_k == 1) return;
    Pass::Params const params{static_cast<float const*>(job.call.c),
                              detail::matrix_layout(call.m, call.n, call.batch * split_k, job.call.stride_c),
                              epilogue_of<float, half_t>({call, {}})};
    launch(Pass{}, size(Pass::grid(params)), params);
  };
  GemmOwnOptions own;
  own.declare = [](CommandLine& line) { line.add("--split-k", split_k, "slices of K"); };
  return gemm_main(argc, argv, chapter, own);
}
