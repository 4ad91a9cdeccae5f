#pragma once
// From a problem to a kernel: which asynchronous copy its target has, and how many stages.

#include "kernel.hpp"  // AsyncGemm

#include <tilestep/harness/gemm_kinds.hpp>  // kinds, choices_of_kind

#include <type_traits>  // std::conditional_t

namespace tilestep::async_copies {

// [stages]
/// NVIDIA's copies are each thread's own. A block has eight warps of 64 x 64 and a multiprocessor to itself: four
/// stages of its tile are 96 KiB.
template <class Kind, Contiguous A, Contiguous B, int Stages>
using NvidiaRing = Pipeline<GemmConfig<typename Kind::Instruction, BlockTile<128, 256, 32, 2, 4>, typename Kind::TIn, A,
                                       B, 8, Arrangement::swizzled>,
                            Route::async, Stages>;

/// CDNA's loads to LDS are a warp's, 4 bytes a lane, 16 on gfx950. Two stages of 24 KiB fit into 64 KiB.
template <class Kind>
using CdnaRing = Pipeline<GemmConfig<typename Kind::Instruction, BlockTile<256, 128, 32, 2, 2>, typename Kind::TIn,
                                     Contiguous::k, Contiguous::k, 8, Arrangement::swizzled>,
                          Route::async_warp, 2, 2, Kind::Instruction::targets == "gfx950" ? 16 : 4>;
// [stages]

/// The kernel of this kind with one of these rings.
template <class Kind, class Ring>
GemmChoice ring_choice(std::string const& name) {
  using Tile = BlockTile<Ring::BlkM::value, Ring::BlkN::value, Ring::BlkK::value, 1, 1>;
  return choice_of<GemmKind<typename Kind::Instruction, Tile, typename Kind::TOut>, AsyncGemm, Ring>(name);
}

/// As the operands are stored where that is possible, else on repacked copies of them.
template <class Kind>
GemmChoice choose(GemmCall const& call) {
  using enum Contiguous;
  constexpr bool nvidia = detail::is_nvidia<typename Kind::Instruction>;
  if constexpr (nvidia) {  // by ldmatrix.trans
    if (takes_vectors<NvidiaRing<Kind, k, mn, 4>>(call)) return ring_choice<Kind, NvidiaRing<Kind, k, mn, 4>>("ring");
    if (takes_vectors<NvidiaRing<Kind, mn, k, 4>>(call)) return ring_choice<Kind, NvidiaRing<Kind, mn, k, 4>>("ring");
    if (takes_vectors<NvidiaRing<Kind, mn, mn, 4>>(call)) return ring_choice<Kind, NvidiaRing<Kind, mn, mn, 4>>("ring");
  }
  using Ring = typename std::conditional_t<nvidia, std::type_identity<NvidiaRing<Kind, k, k, 4>>,
                                           std::type_identity<CdnaRing<Kind>>>::type;
  GemmChoice choice = ring_choice<Kind, Ring>("ring");
  choice.copies_a = choice.copies_b = !takes_vectors<Ring>(call);
  return choice;
}

/// The kernels of this kind, and as other values of --kernel NVIDIA's rings of fewer stages, for operands along K.
template <class Kind>
GemmChoices kernels_of(GemmCall const& call) {
  using enum Contiguous;
  GemmChoices found = choices_of_kind<Kind>(call, [&](auto) { return choose<Kind>(call); });
  if constexpr (Kind::here && detail::is_nvidia<typename Kind::Instruction>) {
    using Two = NvidiaRing<Kind, k, k, 2>;
    using Three = NvidiaRing<Kind, k, k, 3>;
    if (Kind::computes(call) && takes_vectors<Two>(call)) {
      found.push_back(ring_choice<Kind, Two>("stages2"));
      found.push_back(ring_choice<Kind, Three>("stages3"));
    }
  }
  return found;
}

}  // namespace tilestep::async_copies
