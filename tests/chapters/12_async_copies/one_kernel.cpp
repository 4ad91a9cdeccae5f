// Two of chapter 12's kernels behind the command line that all GEMM chapters share, for mutants: f16 operands that lie
// along K, C in f32; a ring of four stages on NVIDIA, one tile in shared memory and one in registers on CDNA.

#include "kernel.hpp"    // PipelinedGemm
#include "families.hpp"  // OnNvidia, OnCdna

int main(int argc, char** argv) {
  using namespace tilestep;
  using enum Contiguous;
  using Ring = OnNvidia<kinds::nvidia_f16>;
  using Prefetch = OnCdna<kinds::cdna_f16>;

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
    launch_choice(call.target.starts_with("sm") ? Ring::choice<k, k>("") : Prefetch::choice<k, k>(""), {call});
  };
  return gemm_main(argc, argv, chapter);
}
