// The chapter's program: both orders of the threads behind the command line that all GEMM chapters share.
// ./tutorial run 00 builds and runs it.

#include "kernel.hpp"   // ObviousGemm

#include <tilestep/backend/launch.hpp>           // launch
#include <tilestep/harness/chapter_figures.hpp>  // chapter_figures
#include <tilestep/harness/gemm_chapter.hpp>     // GemmChapter, gemm_main

namespace tilestep {

template <Neighbours NEIGHBOURS> void launch_obvious(GemmCall const& call) {
  ObviousParams p;
  p.a = static_cast<float const*>(call.a);
  p.b = static_cast<float const*>(call.b);
  p.c = static_cast<float*>(call.c);
  p.M = call.m, p.N = call.n, p.K = call.k, p.L = call.batch;
  p.a_m = call.stride_a.row, p.a_k = call.stride_a.col, p.a_l = call.stride_a.batch;
  p.b_n = call.stride_b.row, p.b_k = call.stride_b.col, p.b_l = call.stride_b.batch;
  p.c_m = call.stride_c.row, p.c_n = call.stride_c.col, p.c_l = call.stride_c.batch;
  p.alpha = float(call.alpha), p.beta = float(call.beta);

  // [launch]
  using Kernel = ObviousGemm<NEIGHBOURS>;
  launch(Kernel{}, Kernel::blocks(p), p);
  // [launch]
}

}  // namespace tilestep

int main(int argc, char** argv) {
  using namespace tilestep;

  GemmChapter chapter;
  chapter.name = "00_obvious_gemm";
  chapter.adds = "a GEMM with one thread for each element of C, right for every size and layout";
  chapter.types = {{DType::f32, DType::f32, DType::f32}};
  chapter.kernels = {"column", "row"};
  chapter.run = [](GemmCall const& call) {
    if (call.kernel == "column") launch_obvious<Neighbours::along_column>(call);
    else launch_obvious<Neighbours::along_row>(call);
  };
  chapter.figures = chapter_figures;
  return gemm_main(argc, argv, chapter);
}
