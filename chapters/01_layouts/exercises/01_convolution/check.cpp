// Grades the exercise: a kernel multiplies matrices, one element of the result per thread, and sees the picture
// through the layout.

#include EXERCISE_HEADER

#include <tilestep/algorithm.hpp>        // make_tensor
#include <tilestep/backend/launch.hpp>   // launch
#include <tilestep/backend/runtime.hpp>  // DeviceBuffer, take_reports
#include <tilestep/harness/graded.hpp>   // no_hazard

#include <cstdio>  // messages
#include <vector>  // host memory

using namespace tilestep;

namespace {

struct ProductParams {
  float const* picture;
  float const* filters;
  float* out;
  Convolution problem;
  std::int64_t count;  // of filters: N
};

/// out(m,n) = sum over k of A(m,k) B(n,k), where A is the picture and B the filters.
struct Product {
  using Shared = NoShared;
  static constexpr char const* name = "Product";
  static constexpr int threads = 64;

  TS_DEVICE void operator()(Shared&, ProductParams const& p) const {
    auto A = make_tensor(global(p.picture), picture_as_matrix(p.problem));  // (M,K)
    auto const K = size<1>(A.layout());
    auto B = make_tensor(global(p.filters), make_layout(make_shape(p.count, K), LayoutRight{}));                // (N,K)
    auto C = make_tensor(global(p.out), make_layout(make_shape(size<0>(A.layout()), p.count), LayoutRight{}));  // (M,N)
    auto const index = block_index() * threads + thread_index();
    if (index >= size(C)) return;
    auto const [m, n] = idx2crd(index, C.shape());
    float sum = 0;
    for (std::int64_t k = 0; k < K; ++k) sum += float(A(m, k)) * float(B(n, k));
    C(m, n) = sum;
  }
};

/// 0 right, 1 wrong, 4 hazard.
int check(Convolution const& p, std::int64_t count) {
  std::int64_t const out_height = (p.height - p.size) / p.step + 1, out_width = (p.width - p.size) / p.step + 1;
  std::int64_t const M = out_height * out_width, K = p.size * p.size * p.channels;
  std::vector<float> picture(std::size_t(p.height * p.width * p.channels)), filters(std::size_t(count * K)),
      out(std::size_t(M * count));
  for (std::size_t i = 0; i < picture.size(); ++i) picture[i] = float(int(i * i % 23) - 11);
  for (std::size_t i = 0; i < filters.size(); ++i) filters[i] = float(int(i * 7 % 13) - 5);

  DeviceBuffer<float> device_picture("picture", std::int64_t(picture.size())), device_filters("filters", count * K),
      device_out("out", M * count);
  device_picture.upload(picture.data(), device_picture.size());
  device_filters.upload(filters.data(), count * K);
  launch(Product{}, ceil_div(M * count, Product::threads),
         ProductParams{device_picture.data(), device_filters.data(), device_out.data(), p, count});
  device_out.download(out.data(), M * count);
  if (!no_hazard(take_reports().at(0))) return 4;

  for (std::int64_t y = 0; y < out_height; ++y) {
    for (std::int64_t x = 0; x < out_width; ++x) {
      for (std::int64_t n = 0; n < count; ++n) {
        float want = 0;
        for (std::int64_t r = 0; r < p.size; ++r) {
          for (std::int64_t s = 0; s < p.size; ++s) {
            for (std::int64_t c = 0; c < p.channels; ++c) {
              want += picture[std::size_t(((y * p.step + r) * p.width + x * p.step + s) * p.channels + c)] *
                      filters[std::size_t(n * K + (r * p.size + s) * p.channels + c)];
            }
          }
        }
        float const got = out[std::size_t((y * out_width + x) * count + n)];
        if (got == want) continue;
        std::printf(
            "picture %d x %d x %d, filter %d x %d, step %d: out(y = %d, x = %d) of filter %d is %g and should be %g\n",
            int(p.height), int(p.width), int(p.channels), int(p.size), int(p.size), int(p.step), int(y), int(x), int(n),
            double(got), double(want));
        return 1;
      }
    }
  }
  return 0;
}

}  // namespace

int main() {
  struct Case {
    Convolution problem;
    std::int64_t count;
  };
  for (Case const& each : {Case{{5, 6, 1, 1, 1}, 1}, Case{{5, 6, 1, 3, 1}, 2}, Case{{7, 9, 3, 3, 1}, 4},
                           Case{{11, 8, 2, 3, 2}, 5}, Case{{4, 4, 3, 4, 1}, 1}}) {
    if (int const verdict = check(each.problem, each.count); verdict != 0) return verdict;
  }
  std::puts("right: a convolution is a matrix product, seen through five strides");
  return 0;
}
