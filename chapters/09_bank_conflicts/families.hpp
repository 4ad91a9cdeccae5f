#pragma once
// From a problem to a kernel: along which modes its operands lie, and how its tiles are arranged in shared memory.

#include "kernel.hpp"  // SwizzledGemm

#include <tilestep/harness/gemm_kinds.hpp>  // kinds, choice_of

namespace tilestep::bank_conflicts {

/// The kernel of this kind and arrangement on operands that lie along these modes.
template <class Kind, Arrangement Arranged, Contiguous A, Contiguous B>
GemmChoice arranged_choice(std::string const& name) {
  return choice_of<Kind, SwizzledGemm, VectorsOf<Kind, A, B, Arranged>>(name);
}

/// Can the operands be copied in vectors as they are stored?
template <class Kind, Contiguous A, Contiguous B>
bool fits(GemmCall const& call) {
  return takes_vectors<VectorsOf<Kind, A, B>>(call);
}

// [choose]
/// As the operands are stored where that is possible, else on repacked copies of them. Tiles that are not swizzled are
/// for f16 along K.
template <class Kind>
GemmChoices kernels_of(GemmCall const& call) {
  return choices_of_kind<Kind>(call, [&](auto) {
    using enum Contiguous;
    using enum Arrangement;
    bool const along_k = fits<Kind, k, k>(call);
    if constexpr (Kind::widens) {
      if (call.kernel == "packed" && along_k) return arranged_choice<Kind, packed, k, k>("packed");
      if (call.kernel == "padded" && along_k) return arranged_choice<Kind, padded, k, k>("padded");
      if (call.kernel == "k0_m_k1" && along_k) return arranged_choice<Kind, k0_m_k1, k, k>("k0_m_k1");
      if (fits<Kind, k, mn>(call)) return arranged_choice<Kind, swizzled, k, mn>("swizzled");
      if (fits<Kind, mn, k>(call)) return arranged_choice<Kind, swizzled, mn, k>("swizzled");
      if (fits<Kind, mn, mn>(call)) return arranged_choice<Kind, swizzled, mn, mn>("swizzled");
    }
    GemmChoice choice = arranged_choice<Kind, swizzled, k, k>("swizzled");
    choice.copies_a = choice.copies_b = !along_k;
    return choice;
  });
}
// [choose]

}  // namespace tilestep::bank_conflicts
