#pragma once
// From a problem to a kernel: whether whole tiles can be copied in vectors.

#include "kernel.hpp"  // KLoopGemm

#include <tilestep/harness/gemm_kinds.hpp>  // kinds, choice_of

namespace tilestep::k_loop {

// [choose]
/// The kernel of this kind: in vectors where all tiles are whole and lie along K, in scalars otherwise. On NVIDIA the
/// loop needs more registers than two blocks on a multiprocessor leave to each.
template <class OfTarget>
GemmChoices kernels_of(GemmCall const& call) {
  using Kind = OneBlockOnNvidia<OfTarget>;
  using Vectors = VectorsOf<Kind, Contiguous::k, Contiguous::k>;
  return choices_of_kind<Kind>(call, [&](auto) {
    if (whole_tiles<Vectors>(call)) return choice_of<Kind, KLoopGemm, Vectors>("vectors");
    return choice_of<Kind, KLoopGemm, ScalarsOf<Kind>>("scalars");
  });
}
// [choose]

}  // namespace tilestep::k_loop
