#pragma once
// From the types and the layout of a problem to a kernel: which instruction the target has for them, on which tile.
// Each family of targets has its own sources, so that no compiler has to read all kernels at once.

#include "kernel.hpp"  // BlockGemm

#include <tilestep/harness/gemm_kinds.hpp>  // the families, launch_kind

#include <optional>  // a target may have none

namespace tilestep {

/// A kernel: its tile, whether it can copy a problem's operands, and how it is launched.
struct Choice {
  int m, n, k;
  bool (*fits)(GemmCall const&);
  void (*launch)(GemmCall const&);
};

// Each: nothing where the target has no instruction for these types.
std::optional<Choice> nvidia_f16(GemmCall const& call);   ///< f16 -> f32 by mma.sync
std::optional<Choice> nvidia(GemmCall const& call);       ///< its other types
std::optional<Choice> cdna_f16(GemmCall const& call);     ///< f16 -> f32 by MFMA
std::optional<Choice> cdna(GemmCall const& call);         ///< its other types
std::optional<Choice> rdna3_f16(GemmCall const& call);    ///< f16 -> f32 by WMMA
std::optional<Choice> rdna3(GemmCall const& call);
std::optional<Choice> rdna4(GemmCall const& call);        ///< WMMA
std::optional<Choice> by_fma(GemmCall const& call);       ///< f32 where the target has no matrix instruction for it

/// The kernel of this kind for operands that lie along these modes.
template <class Kind, Contiguous AlongA, Contiguous AlongB>
Choice kernel_along() {
  using Tile = typename Kind::BlkTile;
  using Config = VectorsOf<Kind, AlongA, AlongB>;
  return {Tile::m, Tile::n, Tile::k, whole_tiles<Config>, launch_kind<Kind, BlockGemm, Config>};
}

/// The kernel of this kind. 16 bits to f32 come in every layout, and the mode with stride 1 becomes part of the
/// kernel's type; others in nt.
template <class Kind>
Choice choose(GemmCall const& call) {
  using enum Contiguous;
  if constexpr (Kind::widens) {
    bool const a_along_k = call.stride_a.col == 1, b_along_k = call.stride_b.col == 1;
    if (a_along_k && !b_along_k) return kernel_along<Kind, k, mn>();    // nn
    if (!a_along_k && b_along_k) return kernel_along<Kind, mn, k>();    // tt
    if (!a_along_k && !b_along_k) return kernel_along<Kind, mn, mn>();  // tn
  }
  return kernel_along<Kind, k, k>();                                    // nt
}

}  // namespace tilestep
