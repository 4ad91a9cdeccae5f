// The chapter's program: the kernel for each element type, with the promise and without it.
// ./tutorial run 03 builds and runs it.

#include "kernel.hpp"   // WindowCopy

#include <tilestep/backend/launch.hpp>           // launch
#include <tilestep/atom/half.hpp>                // half_t
#include <tilestep/harness/copy_chapter.hpp>     // copy_main
#include <tilestep/harness/chapter_figures.hpp>  // chapter_figures

#include <algorithm>  // std::clamp

namespace {

using namespace tilestep;

MatrixView view(Strides const& stride, std::int64_t rows, std::int64_t cols) {
  return MatrixView(make_shape(rows, cols), make_stride(stride.row, stride.col));
}

template <class T>
CopyIfParams<T> copy_params(CopyCall const& call) {
  // [transpose]
  auto const source = view(call.stride_in, call.rows, call.cols);               // (rows,cols)
  auto const at = make_coord(call.row0, call.col0);
  auto const layout_in = call.transpose ? select<1, 0>(source) : source;        // (R,C)
  auto const origin = call.transpose ? select<1, 0>(at) : at;                   // where the window begins in (R,C)
  // [transpose]
  auto const layout_out = view(call.stride_out, call.out_rows, call.out_cols);  // (M,N)
  // A window that lies wholly outside may lie at the edge as well: nothing is read, and offsets stay small.
  auto const near = transform(origin, layout_in.shape(), layout_out.shape(),
                              [](auto first, auto extent, auto window) { return std::clamp(first, -window, extent); });
  return {static_cast<T const*>(call.in), static_cast<T*>(call.out), layout_in, layout_out, near,
          static_cast<T>(call.pad_value)};
}

template <class T>
void copy_window(CopyCall const& call) {
  auto const run = [&](auto kernel) {
    auto const params = copy_params<T>(call);
    launch(kernel, size(kernel.grid(params)), params);
  };
  if (call.in_bounds) run(WindowCopy<T, true>{});
  else run(WindowCopy<T, false>{});
}

void run(CopyCall const& call) {
  switch (call.dtype) {
    case DType::f16: return copy_window<half_t>(call);
    case DType::i32: return copy_window<std::int32_t>(call);
    case DType::i8: return copy_window<std::int8_t>(call);
    default: return copy_window<float>(call);
  }
}

}  // namespace

int main(int argc, char** argv) {
  CopyChapter chapter;
  chapter.name = "03_copy_if";
  chapter.adds = "identity tensors, predicates, ragged edges, in_bounds and a padding value, transposing reads";
  chapter.types = {DType::f32, DType::i32, DType::f16, DType::i8};
  chapter.windows = true;
  chapter.run = run;
  chapter.figures = chapter_figures;
  return copy_main(argc, argv, chapter);
}
