#pragma once
// From a problem to a kernel: which way the tiles travel on its target, and on which tile of C.

#include "kernel.hpp"  // PipelinedGemm

#include <tilestep/harness/gemm_kinds.hpp>  // kinds, choices_of_kind

namespace tilestep {

/// The kernels of one kind that differ in the layouts of A and B. The other parameters are Pipeline's.
template <class Kind, class BlkTile, Route By, int Stages, int Fragments = 2, int Bytes = 16>
struct TileVariant {
  using In = typename Kind::TIn;
  // by ldmatrix.trans
  static constexpr bool transposes = detail::is_nvidia<typename Kind::Instruction> && Kind::widens;
  template <Contiguous A, Contiguous B>
  using Config =
      Pipeline<GemmConfig<typename Kind::Instruction, BlkTile, In, A, B, 16 / int(sizeof(In)), Arrangement::swizzled>,
               By, Stages, Fragments, Bytes>;

  template <Contiguous A, Contiguous B>
  static GemmChoice choice(std::string const& name) {
    return choice_of<GemmKind<typename Kind::Instruction, BlkTile, typename Kind::TOut>, PipelinedGemm, Config<A, B>>(
        name);
  }
  /// Can the operands be copied in vectors as they are stored?
  template <Contiguous A, Contiguous B>
  static bool fits(GemmCall const& call) { return takes_vectors<Config<A, B>>(call); }
};

// [ways]
// Two kinds of tiles, and which way they travel.
template <class Kind> using OnNvidia = TileVariant<Kind, BlockTile<128, 256, 32, 2, 4>, Route::async, 4>;
template <class Kind> using OnCdna = TileVariant<Kind, typename Kind::BlkTile, Route::registers, 1>;
template <class Kind, int Fragments>
using OnRdna = TileVariant<Kind, BlockTile<128, 256, 32, 2, 4>, Route::registers, 1, Fragments>;
template <class Kind> using OnFma = TileVariant<Kind, typename Kind::BlkTile, Route::registers, 1, 1>;
// [ways]

// On RDNA3 each lane has the whole row of an operand: fragments of one half are 64 registers.
template <class Kind> struct VariantOf : OnCdna<Kind> {};
template <> struct VariantOf<kinds::nvidia_f16> : OnNvidia<kinds::nvidia_f16> {};
template <> struct VariantOf<kinds::rdna3_f16> : OnRdna<kinds::rdna3_f16, 1> {};
template <> struct VariantOf<kinds::rdna4_f16> : OnRdna<kinds::rdna4_f16, 2> {};
template <> struct VariantOf<kinds::fma> : OnFma<kinds::fma> {};

/// As the operands are stored where that is possible, else on repacked copies of them.
template <class Variant>
GemmChoice choose(GemmCall const& call) {
  using enum Contiguous;
  if constexpr (Variant::transposes) {
    if (Variant::template fits<k, mn>(call)) return Variant::template choice<k, mn>("pipelined");
    if (Variant::template fits<mn, k>(call)) return Variant::template choice<mn, k>("pipelined");
    if (Variant::template fits<mn, mn>(call)) return Variant::template choice<mn, mn>("pipelined");
  }
  GemmChoice choice = Variant::template choice<k, k>("pipelined");
  choice.copies_a = choice.copies_b = !Variant::template fits<k, k>(call);
  return choice;
}

// The steps on the way: the other values of --kernel, for f16 along K.
template <class Kind_>
struct Steps {
  using Kind = Kind_;
};
namespace kinds {
using nvidia_f16_steps = Steps<nvidia_f16>;
using cdna4_f16_steps = Steps<cdna4_f16>;
using cdna_f16_steps = Steps<cdna_f16>;
using rdna3_f16_steps = Steps<rdna3_f16>;
using rdna4_f16_steps = Steps<rdna4_f16>;
}  // namespace kinds

/// A step. Nothing launches it where an operand's rows are no whole vectors along K.
template <class Variant>
GemmChoices step(GemmCall const& call) {
  using enum Contiguous;
  GemmChoice choice = Variant::template choice<k, k>(call.kernel);
  if (!Variant::template fits<k, k>(call)) choice.launch = nullptr;
  return {choice};
}

/// The step that the call names, if the target has it.
template <class Kind>
GemmChoices step_of(GemmCall const& call) {
  using Op = typename Kind::Instruction;
  constexpr bool nvidia = detail::is_nvidia<Op>, cdna = Kind::BlkTile::m == 256;
  using Block = std::conditional_t<cdna, BlockTile<256, 128, 32, 2, 2>, BlockTile<128, 256, 32, 2, 4>>;
  if (call.kernel == "waiting") return step<TileVariant<Kind, Block, Route::waiting, 2, 1>>(call);
  if (call.kernel == "prefetch")
    return step<TileVariant<Kind, std::conditional_t<cdna, CdnaTile<32>, Block>, Route::registers, 1, 1>>(call);
  if (call.kernel == "stages2")
    return step<TileVariant<Kind, Block, nvidia ? Route::async : Route::registers, 2, cdna ? 2 : 1>>(call);
  if constexpr (nvidia) {
    if (call.kernel == "stages4") return step<TileVariant<Kind, Block, Route::async, 4, 1>>(call);
  }
  if constexpr (cdna) {
    if (call.kernel == "direct")
      return step<TileVariant<Kind, Block, Route::async_warp, 2, 2, Op::targets == "gfx950" ? 16 : 4>>(call);
  }
  return {};
}

/// The kernels of this kind, or of its steps.
template <class Kind>
GemmChoices kernels_of(GemmCall const& call) {
  if constexpr (requires { typename Kind::Kind; }) {
    using Of = typename Kind::Kind;
    if constexpr (Of::here) {
      if (call.kernel != "pipelined" && Of::computes(call)) return step_of<Of>(call);
    }
    return {};
  } else {
    if (call.kernel != "pipelined") return {};
    return choices_of_kind<Kind>(call, [&](auto) { return choose<VariantOf<Kind>>(call); });
  }
}

}  // namespace tilestep
