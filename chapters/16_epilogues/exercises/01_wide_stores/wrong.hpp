#pragma once
// Wrong answers to the exercise, one at a time.
// 1. The sums as mma.sync leaves them, as in the stub. Says: value 2 is C(0,8) and should be C(0,2)
// 2. Vectors are right, but lanes lie down the rows. Says: instruction 0 stores to 8 rows
// 3. The next instruction is one row further down, not two. Says: has an owner already
// 4. The values of a lane lie in a column. Says: value 1 is C(1,0) and should be C(0,1)

#include <tilestep/harness/wrong_answer.hpp>  // wrong_answer
#include <tilestep/layout.hpp>                // Layout

namespace tilestep {

/// (lane, (v, r)) -> m + 8 n, lane 0 .. 31, v 0 .. 3, r 0 .. 3
struct StoresOfWarp {
  TS_HOST_DEVICE int operator()(int lane, int value) const {
    using AsSummed =
        Layout<Shape<Shape<_4, _8>, Shape<Shape<_2, _2>, _4>>, Stride<Stride<_16, _1>, Stride<Stride<_8, _64>, _128>>>;
    using Down = Layout<Shape<Shape<_8, _4>, Shape<_4, _4>>, Stride<Stride<_1, _32>, Stride<_8, _128>>>;
    using Again = Layout<Shape<Shape<_16, _2>, Shape<_4, _4>>, Stride<Stride<_32, _1>, Stride<_8, _1>>>;
    using InColumn = Layout<Shape<Shape<_16, _2>, Shape<_4, _4>>, Stride<Stride<_32, _4>, Stride<_1, _8>>>;
    using Right = Layout<Shape<Shape<_16, _2>, Shape<_4, _4>>, Stride<Stride<_32, _1>, Stride<_8, _2>>>;
    if (wrong_answer(1)) return int(AsSummed{}(lane, value));
    if (wrong_answer(2)) return int(Down{}(lane, value));
    if (wrong_answer(3)) return int(Again{}(lane, value));
    if (wrong_answer(4)) return int(InColumn{}(lane, value));
    return int(Right{}(lane, value));
  }
};

}  // namespace tilestep
