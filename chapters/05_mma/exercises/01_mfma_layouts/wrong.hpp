#pragma once
// Wrong answers to the exercise, one at a time.
// 1. The values of A are four columns apart, as in the stub. Says: ALayout: lane 0, value 1 is index 64, A(0,4), and
// the manual says A(0,1)
// 2. Lane 16 of A is four elements on, not four columns. Says: ALayout: lane 16, value 0 is index 4, A(4,0), and the
// manual says A(0,4)
// 3. B is taken for (k,n). Says: BLayout: lane 0, value 1 is index 1, B(1,0), and the manual says B(0,1)
// 4. C has the layout of A. Says: CLayout: lane 0, value 1 is index 16, C(0,1), and the manual says C(1,0)

#include <tilestep/harness/wrong_answer.hpp>  // wrong_answer
#include <tilestep/layout.hpp>                // Layout

namespace tilestep {

struct MyMfma {
  /// (lane,value) -> index, by strides of which one may be wrong.
  struct ALayout {
    int operator()(int lane, int value) const {
      int const group = wrong_answer(2) ? 4 : 64, next = wrong_answer(1) ? 64 : 16;
      return lane % 16 + group * (lane / 16) + next * value;
    }
  };
  struct BLayout {
    int operator()(int lane, int value) const {
      return wrong_answer(3) ? 16 * (lane % 16) + 4 * (lane / 16) + value : lane % 16 + 64 * (lane / 16) + 16 * value;
    }
  };
  struct CLayout {
    int operator()(int lane, int value) const {
      return wrong_answer(4) ? ALayout{}(lane, value) : 16 * (lane % 16) + 4 * (lane / 16) + value;
    }
  };
};

}  // namespace tilestep
