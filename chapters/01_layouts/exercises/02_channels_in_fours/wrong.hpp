#pragma once
// Wrong answers to the exercise, one at a time.
// 1. The pair has the number of fours first. Says: channel 2 of pixel (0,0) has the offset 60 and should have 2
// 2. The next four follow at once. Says: channel 4 of pixel (0,0) has the offset 4 and should have 60
// 3. A row counts pixels of one channel. Says: channel 0 of pixel (1,0) has the offset 5 and should have 20
// 4. The next four are a picture of single channels away. Says: channel 4 of pixel (0,0) has the offset 15 and should
// have 60

#include <tilestep/harness/wrong_answer.hpp>  // wrong_answer
#include <tilestep/layout.hpp>                // Layout, make_layout

#include <cstdint>  // std::int64_t

namespace tilestep {

/// (y,x,c) -> offset. @param channels  a multiple of 4
inline auto channels_in_fours(std::int64_t height, std::int64_t width, std::int64_t channels) {
  std::int64_t const four = 4;
  auto const c = wrong_answer(1) ? make_shape(channels / 4, four) : make_shape(four, channels / 4);
  std::int64_t const next_four = wrong_answer(2) ? 4 : (wrong_answer(4) ? 1 : 4) * height * width;
  return make_layout(make_shape(height, width, c),
                     make_stride(wrong_answer(3) ? width : 4 * width, _4{}, make_stride(_1{}, next_four)));
}

}  // namespace tilestep
