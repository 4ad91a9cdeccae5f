// One of chapter 09's kernels behind the command line that all GEMM chapters share: f16 operands that lie along K,
// swizzled unless TEST_ARRANGED says otherwise, C in f32.

#include "kernel.hpp"    // SwizzledGemm
#include "families.hpp"  // arranged_choice

#ifndef TEST_ARRANGED
#define TEST_ARRANGED swizzled
#endif

int main(int argc, char** argv) {
  using namespace tilestep;
  using namespace bank_conflicts;
  using Kind = GemmKind<SM80_16x8x16_F32F16F16F32_TN, NvidiaTile<32>, float>;

  GemmChapter chapter;
  chapter.name = "one_kernel";
  chapter.adds = "one of chapter 09's kernels";
  chapter.types = {{.dtype = DType::f16,
                    .acc = DType::f32,
                    .out = DType::f32,
                    .targets = {"sm80", "sm90"},
                    .truncating = true,
                    .layouts = {"nt"}}};
  chapter.run = [](GemmCall const& call) {
    launch_choice(arranged_choice<Kind, Arrangement::TEST_ARRANGED, Contiguous::k, Contiguous::k>("one"), {call});
  };
  return gemm_main(argc, argv, chapter);
}
