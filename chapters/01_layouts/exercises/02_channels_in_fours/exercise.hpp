#pragma once
// The exercise: repair a layout. A pair is in the wrong order, and two strides are wrong.
//
// Pictures for matrix instructions are often stored with four channels side by side, so that one load of 16 bytes gets
// all four. A picture of 3 x 5 pixels and 8 channels then lies in memory like this: channels 0 to 3 of pixel (0,0),
// channels 0 to 3 of pixel (0,1), and so on for all 15 pixels, row by row; then channels 4 to 7 of all pixels.
//
//     y = 0, x = 0: 0 1 2 3   x = 1: 4 5 6 7   ...   y = 1, x = 0: 20 21 22 23   ...   channels 4 to 7 from 60 on
//
// The layout below takes the coordinate (y,x,c) with c = 0 .. channels - 1. Its last mode is a pair, so that c finds
// its way by itself: first the channel within the four, then which four.

#include <tilestep/layout.hpp>  // Layout, make_layout

#include <cstdint>  // std::int64_t

namespace tilestep {

/// (y,x,c) -> offset. @param channels  a multiple of 4
TS_HOST_DEVICE constexpr auto channels_in_fours(std::int64_t height, std::int64_t width, std::int64_t channels) {
  auto const c = make_shape(channels / 4, _4{});                     // (c within four, which four)
  auto const stride_c = make_stride(_1{}, _4{});
  return make_layout(make_shape(height, width, c), make_stride(width, _4{}, stride_c));
}

}  // namespace tilestep
