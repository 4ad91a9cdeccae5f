#pragma once
// The exercise: a layout under which a picture in memory looks like the matrix A of a GEMM, so that a convolution
// becomes a matrix product.
//
// The picture has height x width pixels of `channels` numbers each, stored row by row, pixel by pixel, channel by
// channel. A filter has size x size pixels of as many channels; it is laid over the picture at every `step`-th row
// and column where it fits:
//
//     out(y,x) = sum over r, s, c of picture(y * step + r, x * step + s, c) * filter(r,s,c)
//
// Read m = (x,y) as the row of A and k = (c,s,r) as its column, and A(m,k) is an element of the picture. Which one,
// the strides say. The shape is given. The strides below are wrong.

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
  return make_layout(shape, make_stride(make_stride(p.step, p.step), make_stride(p.step, p.step, p.step)));
}

}  // namespace tilestep
