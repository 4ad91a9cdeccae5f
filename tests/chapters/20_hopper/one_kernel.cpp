// One of chapter 20's kernels behind the command line that all GEMM chapters share, for mutants: bf16 operands that lie
// along K, tiles of 128 x TEST_N, three stages. TEST_VARIANT says which variant.

#include "families.hpp"  // TileVariant

#include <tilestep/harness/gemm_options.hpp>  // gemm_main

#ifndef TEST_N
#define TEST_N 64
#endif

int main(int argc, char** argv) {
  using namespace tilestep;
  using OneTile = TileVariant<128, TEST_N, 3, TEST_VARIANT, false>;

  GemmChapter chapter;
  chapter.name = "one_kernel";
  chapter.adds = "one of chapter 20's kernels";
  chapter.types = {{.dtype = DType::bf16,
                    .acc = DType::f32,
                    .out = DType::bf16,
                    .targets = {"sm90"},
                    .truncating = true,
                    .layouts = {"nt"}}};
  chapter.epilogues = chapter.schedules = true;
  chapter.run = [](GemmCall const& call) {
    auto schedule = schedule_for(call, OneTile::choice<bfloat16_t>(call).tile, {.split_k = 1});
    OneTile::run<bfloat16_t, Major::k, Major::k>({call, schedule});
  };
  return gemm_main(argc, argv, chapter, {});
}
