// A copy program whose kernels can be told to go wrong, one element of the result per thread.

#include <tilestep/backend/launch.hpp>        // launch
#include <tilestep/harness/copy_chapter.hpp>  // copy_main
#include <tilestep/tensor.hpp>                // make_tensor

using namespace tilestep;

namespace {

using View = Layout<Shape<std::int64_t, std::int64_t>, Stride<std::int64_t, std::int64_t>>;

struct CopyParams {
  float const* in;
  float* out;
  View in_layout, out_layout;
  std::int64_t row0, col0;
  bool transpose, in_bounds, off_by_one;
  float pad;
};

struct PlantedCopy {
  using Shared = NoShared;
  static constexpr char const* name = "PlantedCopy";
  static constexpr int threads = 64;

  TS_DEVICE void operator()(Shared&, CopyParams const& p) const {
    auto mIn = make_tensor(global(p.in), p.in_layout);     // (M,N)
    auto mOut = make_tensor(global(p.out), p.out_layout);  // (WIN_M,WIN_N)
    std::int64_t const element = block_index() * threads + thread_index();
    if (element >= size(p.out_layout)) return;
    std::int64_t const cols = size<1>(p.out_layout), i = element / cols, j = element % cols;
    std::int64_t const m = p.row0 + (p.transpose ? j : i), n = p.col0 + (p.transpose ? i : j);
    std::int64_t const M = size<0>(p.in_layout) - (p.off_by_one ? 1 : 0), N = size<1>(p.in_layout);
    bool const inside = p.in_bounds || (m >= 0 && m < M && n >= 0 && n < N);
    float const value = inside ? float(mIn(m, n)) : p.pad;
    mOut(i, j) = value;
  }
};

void run(CopyCall const& call) {
  CopyParams const params{
      static_cast<float const*>(call.in),
      static_cast<float*>(call.out),
      View(make_shape(call.rows, call.cols), make_stride(call.stride_in.row, call.stride_in.col)),
      View(make_shape(call.out_rows, call.out_cols), make_stride(call.stride_out.row, call.stride_out.col)),
      call.row0,
      call.col0,
      call.transpose,
      call.in_bounds,
      call.kernel == "off_by_one",
      static_cast<float>(call.pad_value)};
  launch(PlantedCopy{}, ceil_div(call.out_rows * call.out_cols, std::int64_t{PlantedCopy::threads}), params);
}

}  // namespace

int main(int argc, char** argv) {
  CopyChapter chapter;
  chapter.name = "03_planted_copy";
  chapter.adds = "mistakes";
  chapter.tiles = {{8, 8}, {16, 4}};
  chapter.windows = true;
  chapter.kernels = {"off_by_one", "right"};
  chapter.run = run;
  return copy_main(argc, argv, chapter);
}
