#pragma once
// From a problem to a kernel: one tile for each family of GPUs, f16 by its matrix instruction and f32 by FMA.

#include "kernel.hpp"  // EpilogueGemm

#include <tilestep/harness/gemm_epilogue.hpp>  // epilogue_of
#include <tilestep/harness/gemm_kinds.hpp>     // kinds, choices_of_kind

namespace tilestep::epilogues {

/// The kernels of one kind that differ in the layouts of A and B. The other parameters are Pipeline's.
template <class Kind, class BlkTile, Route By, int Stages, int Fragments = 2>
struct TileVariant {
  using In = typename Kind::TIn;
  // by ldmatrix.trans
  static constexpr bool transposes = detail::takes_ldmatrix_trans<typename Kind::Instruction>;
  template <Contiguous A, Contiguous B>
  using Config =
      Pipeline<GemmConfig<typename Kind::Instruction, BlkTile, In, A, B, 16 / int(sizeof(In)), Arrangement::swizzled>,
               By, Stages, Fragments>;

  // [choice]
  /// C has the type of the operands or that of the sums: one kernel stores both.
  template <Contiguous A, Contiguous B>
  static GemmChoice choice(bool copies = false) {
    using Kernel = EpilogueGemm<Config<A, B>, In>;
    TileOfBlock const tile{BlkTile::m, BlkTile::n, BlkTile::k, BlkTile::resident_blocks};
    auto const run = [](GemmJob const& job) {
      GemmCall const& call = job.call;
      typename Kernel::Params const params{static_cast<In const*>(call.a),
                                           static_cast<In const*>(call.b),
                                           detail::matrix_layout(call.m, call.k, call.batch, call.stride_a),
                                           detail::matrix_layout(call.n, call.k, call.batch, call.stride_b),
                                           epilogue_of<typename Kind::TScale, In>(job),
                                           job.schedule};
      launch(Kernel{}, job.schedule.blocks, params);
    };
    return {name_of(tile), tile, detail::shared_bytes<Kernel>, run, copies, copies};
  }
  // [choice]
  /// Can the operands be copied in vectors as they are stored?
  template <Contiguous A, Contiguous B>
  static bool fits(GemmCall const& call) { return takes_vectors<Config<A, B>>(call); }
};

// The route of the tiles.
template <class Kind> using OnNvidia = TileVariant<Kind, BlockTile<128, 256, 32, 2, 4>, Route::async, 4>;
template <class Kind> using OnCdna = TileVariant<Kind, typename Kind::BlkTile, Route::registers, 1>;
template <class Kind, int Fragments>
using OnRdna = TileVariant<Kind, BlockTile<128, 256, 32, 2, 4>, Route::registers, 1, Fragments>;
template <class Kind> using OnFma = TileVariant<Kind, typename Kind::BlkTile, Route::registers, 1, 1>;

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
    if (Variant::template fits<k, mn>(call)) return Variant::template choice<k, mn>();
    if (Variant::template fits<mn, k>(call)) return Variant::template choice<mn, k>();
    if (Variant::template fits<mn, mn>(call)) return Variant::template choice<mn, mn>();
  }
  return Variant::template choice<k, k>(!Variant::template fits<k, k>(call));
}

/// The kernel of this kind, whichever type C has.
template <class Kind>
GemmChoices kernels_of(GemmCall const& call) {
  GemmCall sums = call;
  sums.out = call.acc;
  return choices_of_kind<Kind>(sums, [&](auto) { return choose<VariantOf<Kind>>(call); });
}

}  // namespace tilestep::epilogues
