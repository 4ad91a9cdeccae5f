#pragma once
// Wrong answers to the exercise, one at a time.
// 1. The next pixel is one element on, as in a picture of one channel. Says: out(y = 0, x = 0) of filter 0
// 2. The step is forgotten. Says: step 2: out(y = 0, x = 1)
// 3. s and r are exchanged. Says: filter 3 x 3
// 4. A row of the picture has as many pixels as a row of the result. Says: filter 3 x 3, step 1: out(y = 0, x = 0)

#include <tilestep/harness/wrong_answer.hpp>  // wrong_answer
#include <tilestep/layout.hpp>                // Layout, make_layout

#include <cstdint>  // std::int64_t

namespace tilestep {

struct Convolution {
  std::int64_t height = 0;    // of the picture
  std::int64_t width = 0;
  std::int64_t channels = 0;
  std::int64_t size = 0;      // height and width of the filter
  std::int64_t step = 1;      // from one place of the filter to the next
};

/// A(m,k) -> offset in the picture.
inline auto picture_as_matrix(Convolution const& p) {
  auto const out_height = (p.height - p.size) / p.step + 1;
  auto const out_width = (p.width - p.size) / p.step + 1;
  auto const places = make_shape(out_width, out_height);            // (x,y)
  auto const filter = make_shape(p.channels, p.size, p.size);       // (c,s,r)
  auto const shape = make_shape(places, filter);                    // ((x,y),(c,s,r))
  auto const pixel = wrong_answer(1) ? 1 : p.channels;  // from a pixel to its right neighbour
  auto const row = (wrong_answer(4) ? out_width : p.width) * p.channels;  // from a pixel to the one below
  auto const step = wrong_answer(2) ? 1 : p.step;
  auto const s = wrong_answer(3) ? row : pixel, r = wrong_answer(3) ? pixel : row;
  return make_layout(shape, make_stride(make_stride(step * pixel, step * row), make_stride(Int<1>{}, s, r)));
}

}  // namespace tilestep
