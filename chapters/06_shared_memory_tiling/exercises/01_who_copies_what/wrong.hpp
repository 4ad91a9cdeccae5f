#pragma once
// Wrong answers to the exercise, one at a time.
// 1. Neighbouring threads have neighbouring elements, one each. Says: right, but load requests: 64, at most 8
// 2. Vectors of 8 bytes. Says: right, but load requests: 16, at most 8
// 3. Vectors of 16 bytes by threads side by side along K. Says: right, but sectors loaded: 256, at most 128

#include <tilestep/harness/wrong_answer.hpp>  // wrong_answer
#include <tilestep/layout.hpp>                // Layout

namespace tilestep {

struct MyCopy {
  using Threads = Layout<Shape<_8, _16>, Stride<_1, _8>>;
  using Values = Layout<Shape<_8, _1>>;
};
struct SingleElements {
  using Threads = Layout<Shape<_64, _2>, Stride<_1, _64>>;
  using Values = Layout<Shape<_1, _1>>;
};
struct EightBytes {
  using Threads = Layout<Shape<_16, _8>, Stride<_1, _16>>;
  using Values = Layout<Shape<_4, _1>>;
};
struct AlongK {
  using Threads = Layout<Shape<_4, _32>, Stride<_32, _1>>;
  using Values = Layout<Shape<_8, _1>>;
};

/// Grades the one that is asked for.
template <class Grade>
int grade_answer(MyCopy right, Grade grade) {
  if (wrong_answer(1)) return grade(SingleElements{});
  if (wrong_answer(2)) return grade(EightBytes{});
  if (wrong_answer(3)) return grade(AlongK{});
  return grade(right);
}

}  // namespace tilestep
