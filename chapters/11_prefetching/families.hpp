#pragma once
// From a problem to a kernel: along which modes its operands lie, and what is loaded before it is needed.

#include "kernel.hpp"  // PrefetchingGemm

#include <tilestep/harness/gemm_kinds.hpp>  // kinds, choice_of

namespace tilestep::prefetching {

/// A GemmConfig whose kernel loads so much ahead.
template <class Config, Ahead What>
struct PrefetchingConfig : Config {
  static constexpr Ahead ahead = What;
};

/// The kernel of this kind that loads so much ahead, on operands that lie along these modes.
template <class Kind, Ahead What, Contiguous A, Contiguous B>
GemmChoice prefetching_choice(std::string const& name) {
  return choice_of<Kind, PrefetchingGemm, PrefetchingConfig<VectorsOf<Kind, A, B, Arrangement::swizzled>, What>>(name);
}

/// Can the operands be copied in vectors as they are stored?
template <class Kind, Contiguous A, Contiguous B>
bool fits(GemmCall const& call) {
  return takes_vectors<VectorsOf<Kind, A, B>>(call);
}

// [ahead]
/// Are there registers for two halves of fragments? On RDNA3 each lane holds whole rows of an operand, and by FMA a
/// thread has 16 floats for each k.
template <class Kind> inline constexpr Ahead most_ahead = Ahead::fragments;
template <> inline constexpr Ahead most_ahead<kinds::rdna3_f16> = Ahead::tiles;
template <> inline constexpr Ahead most_ahead<kinds::fma> = Ahead::tiles;
// [ahead]

/// As the operands are stored where that is possible, else on repacked copies of them. The steps on the way are for f16
/// along K.
template <class Kind>
GemmChoices kernels_of(GemmCall const& call) {
  return choices_of_kind<Kind>(call, [&](auto) {
    using enum Contiguous;
    constexpr Ahead most = most_ahead<Kind>;
    bool const along_k = fits<Kind, k, k>(call);
    if constexpr (Kind::widens) {
      if (call.kernel == "waiting" && along_k) return prefetching_choice<Kind, Ahead::nothing, k, k>("waiting");
      if (call.kernel == "tiles" && along_k) return prefetching_choice<Kind, Ahead::tiles, k, k>("tiles");
      // by ldmatrix.trans
      if constexpr (detail::is_nvidia<typename Kind::Instruction>) {
        if (fits<Kind, k, mn>(call)) return prefetching_choice<Kind, most, k, mn>("prefetching");
        if (fits<Kind, mn, k>(call)) return prefetching_choice<Kind, most, mn, k>("prefetching");
        if (fits<Kind, mn, mn>(call)) return prefetching_choice<Kind, most, mn, mn>("prefetching");
      }
    }
    GemmChoice choice = prefetching_choice<Kind, most, k, k>("prefetching");
    choice.copies_a = choice.copies_b = !along_k;
    return choice;
  });
}

}  // namespace tilestep::prefetching
