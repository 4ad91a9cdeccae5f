// Two of chapter 10's kernels behind the command line that all GEMM chapters share, for mutants: f16 on NVIDIA by
// ldmatrix, of operands that lie along K, and by ldmatrix.trans, of operands that lie along M and N.

#include "kernel.hpp"    // MatrixLoadGemm
#include "families.hpp"  // choice_along

int main(int argc, char** argv) {
  using namespace tilestep;
  using namespace matrix_loads;
  using enum Contiguous;

  GemmChapter chapter;
  chapter.name = "one_kernel";
  chapter.adds = "two of chapter 10's kernels";
  chapter.types = {{.dtype = DType::f16,
                    .acc = DType::f32,
                    .out = DType::f32,
                    .targets = {"sm80", "sm90"},
                    .truncating = true,
                    .layouts = {"nt", "tn"}}};
  chapter.run = [](GemmCall const& call) {
    launch_choice(call.stride_a.col == 1 ? choice_along<kinds::nvidia_f16, k, k>(call)
                                         : choice_along<kinds::nvidia_f16, mn, mn>(call),
                  {call});
  };
  return gemm_main(argc, argv, chapter);
}
