#pragma once
// The solution: five strides, and nothing in memory moves. Several coordinates of A lead to one element of the
// picture, which is why no matrix like it is stored anywhere.

#include <tilestep/layout.hpp>  // Layout, make_layout

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
TS_HOST_DEVICE constexpr auto picture_as_matrix(Convolution const& p) {
  auto const out_height = (p.height - p.size) / p.step + 1;
  auto const out_width = (p.width - p.size) / p.step + 1;
  auto const places = make_shape(out_width, out_height);            // (x,y)
  auto const filter = make_shape(p.channels, p.size, p.size);       // (c,s,r)
  auto const shape = make_shape(places, filter);                    // ((x,y),(c,s,r))
  auto const pixel = p.channels;           // from a pixel to its right neighbour
  auto const row = p.width * p.channels;   // from a pixel to the one below
  return make_layout(shape, make_stride(make_stride(p.step * pixel, p.step * row), make_stride(Int<1>{}, pixel, row)));
}

}  // namespace tilestep
