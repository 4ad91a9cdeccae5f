#pragma once
// From --kernel and the layout of a problem to a kernel: which of A's and B's modes has stride 1.

#include "by_hand.hpp"  // ByHandGemm
#include "kernel.hpp"   // BlockGemm

#include <tilestep/harness/gemm_kinds.hpp>  // kinds, choice_of

namespace tilestep::shared_memory_tiling {

/// The kernel of this kind for operands that lie along these modes. Nothing launches it where a tile is not whole.
template <class Kind, Contiguous AlongA, Contiguous AlongB>
GemmChoice kernel_along(GemmCall const& call) {
  using Config = VectorsOf<Kind, AlongA, AlongB>;
  GemmChoice choice = choice_of<Kind, BlockGemm, Config>("tiled");
  if (!whole_tiles<Config>(call)) choice.launch = nullptr;
  return choice;
}

/// f32 with every step written out. A template, so that the part for FMAs alone compiles it.
template <class Kind>
GemmChoice by_hand_choice() {
  return {"by_hand",
          {ByHandGemm::BlkM::value, ByHandGemm::BlkN::value, ByHandGemm::BlkK::value, 1},
          detail::shared_bytes<ByHandGemm>,
          [](GemmJob const& job) { launch_gemm<ByHandGemm, float, float, float, float>(job.call); }};
}

/// The kernel of this kind. f16 comes in every layout, and the mode with stride 1 becomes part of the kernel's type;
/// f32 comes in nt.
template <class Kind>
GemmChoices kernels_of(GemmCall const& call) {
  return choices_of_kind<Kind>(call, [&](auto) {
    using enum Contiguous;
    if constexpr (std::is_same_v<Kind, kinds::fma>) {
      if (call.kernel == "by_hand") return by_hand_choice<Kind>();
    }
    if constexpr (Kind::widens) {
      bool const a_along_k = call.stride_a.col == 1, b_along_k = call.stride_b.col == 1;
      if (a_along_k && !b_along_k) return kernel_along<Kind, k, mn>(call);    // nn
      if (!a_along_k && b_along_k) return kernel_along<Kind, mn, k>(call);    // tt
      if (!a_along_k && !b_along_k) return kernel_along<Kind, mn, mn>(call);  // tn
    }
    return kernel_along<Kind, k, k>(call);                                    // nt
  });
}

}  // namespace tilestep::shared_memory_tiling
