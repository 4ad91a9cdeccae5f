#pragma once
// Whether the kernel behind a small one may begin while that one runs: what is behind copies of operands, or behind a
// second pass.

#include <tilestep/harness/gemm_chapter.hpp>  // GemmCall

namespace tilestep {

/// Not where a product of 10 us on an H200 and more follows: its blocks would get multiprocessors as the kernel before
/// leaves them, and those that read the same tiles would not stand side by side (chapter 20's lab).
inline bool next_may_begin(GemmCall const& call) {
  constexpr double long_product = 4e9;
  return double(call.m) * double(call.n) * double(call.k) * double(call.batch) < long_product;
}

}  // namespace tilestep
