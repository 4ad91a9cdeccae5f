#pragma once
// CuTe's names for what this library has under others, and the functions of CuTe that no chapter needs. A kernel
// written in CuTe's words finds them here; <tilestep/tilestep.hpp> leaves them out.

#include <tilestep/cute/integers.hpp>  // integral_constant, 4_c, lcm, lex_less, ArithmeticTuple
#include <tilestep/cute/layouts.hpp>   // layout<I>, compact_col_major, max_alignment
#include <tilestep/cute/swizzles.hpp>  // swizzles on the right of a composition, inverses of swizzled layouts
#include <tilestep/cute/tensors.hpp>   // tensor<I>, make_gmem_ptr, recast<U>, transform, reduce
#include <tilestep/cute/atoms.hpp>     // MMA_Atom, Copy_Atom, TiledMMA, AutoVectorizingCopy, thread0
#include <tilestep/cute/print.hpp>     // print_layout, print_tensor, print_latex
