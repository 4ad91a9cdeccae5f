#pragma once
// From a problem to a kernel: chapter 12's tiles, with the order as a parameter.

#include "kernel.hpp"  // OrderedGemm

#include <tilestep/harness/gemm_kinds.hpp>  // kinds, choices_of_kind

namespace tilestep::tile_order {

/// The kernels of one kind that differ in the layouts of A and B. The other parameters are Pipeline's.
template <class Kind, class BlkTile, Route By, int Stages, int Fragments = 2>
struct TileVariant {
  using In = typename Kind::TIn;
  using Out = typename Kind::TOut;
  using Scale = typename Kind::TScale;
  // by ldmatrix.trans
  static constexpr bool transposes = detail::takes_ldmatrix_trans<typename Kind::Instruction>;
  template <Contiguous A, Contiguous B>
  using Config =
      Pipeline<GemmConfig<typename Kind::Instruction, BlkTile, In, A, B, 16 / int(sizeof(In)), Arrangement::swizzled>,
               By, Stages, Fragments>;

  // [choice]
  template <Contiguous A, Contiguous B>
  static GemmChoice choice(bool copies = false) {
    using Kernel = OrderedGemm<Config<A, B>, Out, Scale>;
    TileOfBlock const tile{BlkTile::m, BlkTile::n, BlkTile::k, BlkTile::resident_blocks};
    auto const run = [](GemmJob const& job) {
      launch(Kernel{}, job.schedule.blocks,
             typename Kernel::Params{gemm_params<In, In, Out, Scale>(job.call), job.schedule});
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

/// The kernel of this kind.
template <class Kind>
GemmChoices kernels_of(GemmCall const& call) {
  return choices_of_kind<Kind>(call, [&](auto) { return choose<VariantOf<Kind>>(call); });
}

}  // namespace tilestep::tile_order
