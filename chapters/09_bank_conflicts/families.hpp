#pragma once
// From a problem to a kernel: which instruction the target has for its types, and how its tiles are arranged in shared
// memory. Each family of targets has its own sources, so that no compiler has to read all kernels at once.

#include "kernel.hpp"  // SwizzledGemm

#include <tilestep/harness/gemm_kinds.hpp>  // the families, launch_kind

#include <optional>  // a family may have nothing for a problem

namespace tilestep {

/// A kernel: how it is launched. `refused` says why there is none.
struct Choice {
  void (*launch)(GemmCall const&);
  char const* refused = nullptr;
};

// Each: nothing where the target has no instruction for these types.
std::optional<Choice> nvidia_f16(GemmCall const& call);   ///< f16 -> f32 by mma.sync
std::optional<Choice> nvidia_bf16(GemmCall const& call);
std::optional<Choice> nvidia(GemmCall const& call);       ///< its other types
std::optional<Choice> cdna_f16(GemmCall const& call);     ///< f16 -> f32 by MFMA
std::optional<Choice> cdna_bf16(GemmCall const& call);
std::optional<Choice> cdna(GemmCall const& call);         ///< its other types
std::optional<Choice> rdna3_f16(GemmCall const& call);    ///< f16 -> f32 by WMMA
std::optional<Choice> rdna3(GemmCall const& call);        ///< its other types
std::optional<Choice> rdna4_f16(GemmCall const& call);    ///< f16 -> f32 by WMMA
std::optional<Choice> rdna4(GemmCall const& call);        ///< its other types
std::optional<Choice> by_fma(GemmCall const& call);       ///< f32 where the target has no matrix instruction for it

/// The same problem on copies of A and B with rows along K and zeros after them. Launches the copies.
GemmCall launch_repack(GemmCall const& call);

/// Launches the kernel of this kind and arrangement on operands that lie along these modes.
template <class Kind, Arrangement Arranged, Contiguous A, Contiguous B>
void launch_arranged(GemmCall const& call) {
  launch_kind<Kind, SwizzledGemm, VectorsOf<Kind, A, B, Arranged>>(call);
}

/// Can the operands be copied in vectors as they are stored?
template <class Kind, Contiguous A, Contiguous B>
bool fits(GemmCall const& call) {
  return takes_vectors<VectorsOf<Kind, A, B>>(call);
}

// [choose]
/// As the operands are stored where that is possible, else on repacked copies of them.
template <class Kind>
Choice choose(GemmCall const& call) {
  using enum Contiguous;
  using enum Arrangement;
  bool const along_k = fits<Kind, k, k>(call);
  if (call.kernel != "swizzled") {
    if constexpr (std::is_same_v<typename Kind::TIn, half_t> && Kind::widens) {
      if (along_k)
        return {call.kernel == "packed" ? launch_arranged<Kind, packed, k, k> : launch_arranged<Kind, padded, k, k>};
    }
    return {nullptr,
            "--kernel packed and padded are for f16 -> f32 whose rows are multiples of 16 bytes, in layout nt: take "
            "--kernel swizzled"};
  }
  if (along_k) return {launch_arranged<Kind, swizzled, k, k>};
  if constexpr (Kind::widens) {
    if (fits<Kind, k, mn>(call)) return {launch_arranged<Kind, swizzled, k, mn>};
    if (fits<Kind, mn, k>(call)) return {launch_arranged<Kind, swizzled, mn, k>};
    if (fits<Kind, mn, mn>(call)) return {launch_arranged<Kind, swizzled, mn, mn>};
  }
  return {[](GemmCall const& c) { launch_arranged<Kind, swizzled, k, k>(launch_repack(c)); }};
}
// [choose]

}  // namespace tilestep
