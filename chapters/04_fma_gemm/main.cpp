// The chapter's program: both kernels behind the command line that all GEMM chapters share.
// ./tutorial run 04 builds and runs it.

#include "kernel.hpp"   // NaiveGemm, RegisterTiledGemm

#include <tilestep/harness/chapter_figures.hpp>  // chapter_figures
#include <tilestep/harness/gemm_launch.hpp>      // gemm_main, launch_gemm

namespace {

using namespace tilestep;

template <class T>
void run(GemmCall const& call) {
  if (call.kernel == "naive") launch_gemm<NaiveGemm<T>, T>(call);
  else launch_gemm<RegisterTiledGemm<T>, T>(call);
}

}  // namespace

int main(int argc, char** argv) {
  GemmChapter chapter;
  chapter.name = "04_fma_gemm";
  chapter.adds = "a full GEMM on FMAs: every size, every layout, register tiles";
  chapter.types = {{DType::f32, DType::f32, DType::f32}, {DType::f64, DType::f64, DType::f64}};
  chapter.kernels = {"naive", "register_tiled"};
  chapter.run = [](GemmCall const& call) { call.dtype == DType::f64 ? run<double>(call) : run<float>(call); };
  chapter.figures = chapter_figures;
  return gemm_main(argc, argv, chapter);
}
