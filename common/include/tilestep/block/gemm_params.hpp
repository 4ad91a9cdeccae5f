#pragma once
// What a GEMM kernel is given: three pointers, three layouts, two factors. Every chapter's kernel takes this one
// struct, whatever the order in which the matrices are stored: `nn`, `nt`, `tn`, `tt` and leading dimensions are
// nothing but strides.

#include <tilestep/layout.hpp>  // MatrixLayout

namespace tilestep {

/// C = alpha A B + beta C, for each batch. With beta = 0, C is never read.
template <class TA, class TB, class TC, class TAcc>
struct GemmParams {
  TA const* a;
  TB const* b;
  TC* c;
  MatrixLayout layout_a;  ///< (M,K,L)
  MatrixLayout layout_b;  ///< (N,K,L)
  MatrixLayout layout_c;  ///< (M,N,L)
  TAcc alpha, beta;
};

}  // namespace tilestep
