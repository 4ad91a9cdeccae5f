#pragma once
// From a problem to a kernel: along which modes its operands lie, and how fragments are read.

#include "kernel.hpp"  // MatrixLoadGemm

#include <tilestep/harness/gemm_kinds.hpp>  // kinds, choice_of

namespace tilestep::matrix_loads {

// [plain]
/// The same tiles with fragments read as in chapter 09: each lane its own elements.
template <class Config>
struct PlainReads : Config {
  using ReadA = AutoVectorizingCopyWithAssumedAlignment<128>;
  using ReadB = AutoVectorizingCopyWithAssumedAlignment<128>;
};
// [plain]

/// The kernel of this kind on operands that lie along these modes.
template <class Kind, Contiguous A, Contiguous B>
GemmChoice choice_along(GemmCall const& call) {
  using Config = VectorsOf<Kind, A, B, Arrangement::swizzled>;
  if constexpr (detail::takes_ldmatrix<typename Kind::Instruction>) {
    if (call.kernel == "plain") return choice_of<Kind, MatrixLoadGemm, PlainReads<Config>>("plain");
  }
  return choice_of<Kind, MatrixLoadGemm, Config>("matrix");
}

/// Can the operands be copied in vectors as they are stored?
template <class Kind, Contiguous A, Contiguous B>
bool fits(GemmCall const& call) {
  return takes_vectors<VectorsOf<Kind, A, B>>(call);
}

/// As the operands are stored where that is possible, else on repacked copies of them.
template <class Kind>
GemmChoices kernels_of(GemmCall const& call) {
  return choices_of_kind<Kind>(call, [&](auto) {
    using enum Contiguous;
    if constexpr (Kind::widens) {
      if (fits<Kind, k, mn>(call)) return choice_along<Kind, k, mn>(call);
      if (fits<Kind, mn, k>(call)) return choice_along<Kind, mn, k>(call);
      if (fits<Kind, mn, mn>(call)) return choice_along<Kind, mn, mn>(call);
    }
    GemmChoice choice = choice_along<Kind, k, k>(call);
    choice.copies_a = choice.copies_b = !fits<Kind, k, k>(call);
    return choice;
  });
}

}  // namespace tilestep::matrix_loads
