// One of chapter 12's kernels for sm80 and one for gfx942 behind the command line that all GEMM chapters share, for
// mutants: f16 operands that lie along K, C in f32.

#include "kernel.hpp"    // AsyncGemm
#include "families.hpp"  // ring_choice

int main(int argc, char** argv) {
  using namespace tilestep;
  using namespace async_copies;
  using enum Contiguous;

  GemmChapter chapter;
  chapter.name = "one_kernel";
  chapter.adds = "two of chapter 12's kernels";
  chapter.types = {{.dtype = DType::f16,
                    .acc = DType::f32,
                    .out = DType::f32,
                    .targets = {"sm80", "sm90", "gfx90a", "gfx942"},
                    .truncating = true,
                    .layouts = {"nt"}}};
  chapter.run = [](GemmCall const& call) {
    launch_choice(call.target.starts_with("sm")
                      ? ring_choice<kinds::nvidia_f16, NvidiaRing<kinds::nvidia_f16, k, k, 4>>("")
                      : ring_choice<kinds::cdna_f16, CdnaRing<kinds::cdna_f16>>(""),
                  {call});
  };
  return gemm_main(argc, argv, chapter);
}
