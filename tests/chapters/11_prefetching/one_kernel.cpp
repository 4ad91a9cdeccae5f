// One of chapter 11's kernels for sm80 and one for gfx942 behind the command line that all GEMM chapters share, for
// mutants: f16 operands that lie along K, C in f32.

#include "kernel.hpp"    // PrefetchingGemm
#include "families.hpp"  // prefetching_choice

int main(int argc, char** argv) {
  using namespace tilestep;
  using namespace prefetching;
  using enum Contiguous;

  GemmChapter chapter;
  chapter.name = "one_kernel";
  chapter.adds = "two of chapter 11's kernels";
  chapter.types = {{.dtype = DType::f16,
                    .acc = DType::f32,
                    .out = DType::f32,
                    .targets = {"sm80", "sm90", "gfx90a", "gfx942"},
                    .truncating = true,
                    .layouts = {"nt"}}};
  chapter.run = [](GemmCall const& call) {
    launch_choice(call.target.starts_with("sm") ? prefetching_choice<kinds::nvidia_f16, Ahead::fragments, k, k>("")
                                                : prefetching_choice<kinds::cdna_f16, Ahead::fragments, k, k>(""),
                  {call});
  };
  return gemm_main(argc, argv, chapter);
}
