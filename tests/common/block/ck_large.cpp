// A program around the GEMM of CK's tutorial, with CK's own tile in three types: for problems that take minutes, such
// as the tutorial's large one. Its record is that of a chapter.

#include "ck_gemm.hpp"  // CkGemm

#include <tilestep/atom/half.hpp>             // half_t
#include <tilestep/harness/gemm_chapter.hpp>  // gemm_main

#include <algorithm>  // std::min
#include <cstdint>    // std::int8_t
#include <string>     // refusals

using namespace tilestep;

namespace {

/// CK's tile of 256 x 128 x 32 by 256 threads. Of a line of a tile a thread copies 8 elements, in vectors of at most 16
/// bytes.
template <class T, class Traits>
using OwnTile = ck_test::CkGemm<T, Traits, 256, 256, 128, 32, std::min(8, 16 / int(sizeof(T))), false>;

template <class Kernel> void launch_with(GemmCall const& call) {
  using T = typename Kernel::Gemm::Mma::ValA;
  typename Kernel::Params const params{static_cast<T const*>(call.a), static_cast<T const*>(call.b),
                                       static_cast<typename Kernel::Sum*>(call.c), int(call.m), int(call.n),
                                       int(call.k)};
  launch(Kernel{}, size(Kernel::grid(params)), params);
}

void run(GemmCall const& call) {
  if (call.dtype == DType::f16) return launch_with<OwnTile<half_t, XdlTraits_32x32Xdl_4x2XdlPerWave_8K1>>(call);
  if (call.dtype == DType::f32) return launch_with<OwnTile<float, XdlTraits_32x32Xdl_4x2XdlPerWave_4K1>>(call);
  launch_with<OwnTile<std::int8_t, XdlTraits_32x32Xdl_4x2XdlPerWave_16K1>>(call);
}

std::string refuses(GemmCall const& call) {
  bool const packed = call.stride_a.row == call.k && call.stride_b.row == call.k && call.stride_c.row == call.n;
  if (!packed || call.batch != 1) return "this kernel multiplies packed matrices, one of each";
  if (call.alpha != 1 || call.beta != 0) return "this kernel writes A B^T alone: choose alpha 1 and beta 0";
  return call.k % 8 == 0 ? "" : "this kernel copies vectors along K: choose a multiple of 8 for k";
}

}  // namespace

int main(int argc, char** argv) {
  GemmChapter chapter;
  chapter.name = "ck_large";
  chapter.adds = "the GEMM of CK's tutorial, on CK's tile";
  chapter.types = {{DType::f16, DType::f32, DType::f32, {"gfx942"}},
                   {DType::f32, DType::f32, DType::f32, {"gfx942"}},
                   {DType::i8, DType::i32, DType::i32, {"gfx942"}}};
  chapter.layouts = {"nt"};
  chapter.n = 129;
  chapter.k = 72;
  chapter.run = run;
  chapter.refuses = refuses;
  chapter.note = [](GemmCall const& call) {
    return std::to_string(ceil_div(call.m, 256)) + " x " + std::to_string(ceil_div(call.n, 128)) +
           " tiles of 256x128x32, CK's";
  };
  return gemm_main(argc, argv, chapter);
}
