#pragma once
// The solution: the faster part of a pair comes first, so four channels come before the number of fours; the next four
// lie a whole picture of fours away, and the next row is `width` pixels of four away.

#include <tilestep/layout.hpp>  // Layout, make_layout

#include <cstdint>  // std::int64_t

namespace tilestep {

/// (y,x,c) -> offset. @param channels  a multiple of 4
TS_HOST_DEVICE constexpr auto channels_in_fours(std::int64_t height, std::int64_t width, std::int64_t channels) {
  auto const c = make_shape(_4{}, channels / 4);                     // (c within four, which four)
  auto const stride_c = make_stride(_1{}, 4 * height * width);
  return make_layout(make_shape(height, width, c), make_stride(4 * width, _4{}, stride_c));
}

}  // namespace tilestep
