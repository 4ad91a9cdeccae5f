#pragma once
// From a problem to a kernel: on tiles of which size, along which modes.

#include "kernel.hpp"  // ScheduledGemm

#include <tilestep/harness/gemm_kinds.hpp>  // kinds, choices_of_kind

#include <optional>  // a tile may not take a problem

namespace tilestep::persistent_blocks {

/// The kernels of one kind on one tile that differ in the layouts of A and B. The other parameters are Pipeline's.
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

  template <Contiguous A, Contiguous B, bool Persistent = false>
  static GemmChoice choice(bool copies = false) {
    using Kernel = ScheduledGemm<Config<A, B>, Out, Scale, Persistent>;
    TileOfBlock const tile{BlkTile::m, BlkTile::n, BlkTile::k, BlkTile::resident_blocks};
    auto const run = [](GemmJob const& job) {
      launch(Kernel{}, job.schedule.blocks,
             typename Kernel::Params{gemm_params<In, In, Out, Scale>(job.call), job.schedule});
    };
    return {name_of(tile), tile, detail::shared_bytes<Kernel>, run, copies, copies};
  }
  /// Can the operands be copied in vectors as they are stored?
  template <Contiguous A, Contiguous B>
  static bool fits(GemmCall const& call) { return takes_vectors<Config<A, B>>(call); }
};

// [tiles]
// Large tiles, medium ones for small problems, small ones for few rows, and their routes.
template <class Kind>
struct OnNvidia {
  using Large = TileVariant<Kind, BlockTile<128, 256, 32, 2, 4>, Route::async, 4>;
  using Medium = TileVariant<Kind, BlockTile<64, 128, 64, 2, 2, 2>, Route::async, 4>;
  using Small = TileVariant<Kind, BlockTile<16, 64, 64, 1, 4, 2>, Route::async, 8>;
};
template <class Kind>
struct OnCdna {
  using Large = TileVariant<Kind, typename Kind::BlkTile, Route::registers, 1>;
  using Medium = TileVariant<Kind, BlockTile<32, 128, 64, 1, 4, 2>, Route::registers, 1>;
  using Small = Medium;
};
template <class Kind, int Fragments>
struct OnRdna {
  using Large = TileVariant<Kind, BlockTile<128, 256, 32, 2, 4>, Route::registers, 1, Fragments>;
  using Medium = TileVariant<Kind, BlockTile<32, 128, 64, 1, 4>, Route::registers, 1, 1>;
  using Small = Medium;
};
template <class Kind>
struct OnFma {
  using Large = TileVariant<Kind, typename Kind::BlkTile, Route::registers, 1, 1>;
};
// [tiles]

// On RDNA3 each lane has the whole row of an operand: fragments of one half are 64 registers.
template <class Kind> struct TilesOn : OnCdna<Kind> {};
template <> struct TilesOn<kinds::nvidia_f16> : OnNvidia<kinds::nvidia_f16> {};
template <> struct TilesOn<kinds::rdna3_f16> : OnRdna<kinds::rdna3_f16, 1> {};
template <> struct TilesOn<kinds::rdna4_f16> : OnRdna<kinds::rdna4_f16, 2> {};
template <> struct TilesOn<kinds::fma> : OnFma<kinds::fma> {};

/// On medium and small tiles, as the operands are stored: B is the larger one, and lies along K or N.
template <class Variant>
std::optional<GemmChoice> choose_lesser(GemmCall const& call) {
  using enum Contiguous;
  if (Variant::template fits<k, k>(call)) return Variant::template choice<k, k>();
  if constexpr (Variant::transposes) {
    if (Variant::template fits<k, mn>(call)) return Variant::template choice<k, mn>();
  }
  return std::nullopt;
}

/// On large tiles, as the operands are stored.
template <class Variant>
std::optional<GemmChoice> choose_large(GemmCall const& call) {
  using enum Contiguous;
  if (Variant::template fits<k, k>(call)) return Variant::template choice<k, k>();
  if constexpr (Variant::transposes) {
    if (Variant::template fits<k, mn>(call)) return Variant::template choice<k, mn>();
    if (Variant::template fits<mn, k>(call)) return Variant::template choice<mn, k>();
    if (Variant::template fits<mn, mn>(call)) return Variant::template choice<mn, mn>();
  }
  return std::nullopt;
}

/// On tiles of the size that the call's `kernel` names, as the operands are stored where that is possible, else on
/// repacked copies of them. f16 has tiles of all sizes, f32 large ones.
template <class On, class Kind>
GemmChoice choose(GemmCall const& call) {
  using enum Contiguous;
  if constexpr (Kind::widens) {
    bool const small = call.kernel == "small", medium = call.kernel == "medium";
    if (small || medium) {
      if (auto const found = small ? choose_lesser<typename On::Small>(call) : choose_lesser<typename On::Medium>(call))
        return *found;
    }
    if (auto const found = choose_large<typename On::Large>(call)) return *found;
    if (small) return On::Small::template choice<k, k>(true);
    if (medium) return On::Medium::template choice<k, k>(true);
  }
  if (auto const found = choose_large<typename On::Large>(call)) return *found;
  return On::Large::template choice<k, k>(true);
}

/// The kernels of this kind; where the call's `kernel` says so those whose blocks take several tiles each: large ones,
/// of f16 operands that lie along K.
template <class Kind>
GemmChoices kernels_of(GemmCall const& call) {
  using enum Contiguous;
  using Large = typename TilesOn<Kind>::Large;
  bool const persistent = call.kernel == "persistent";
  if constexpr (Kind::widens) {
    if (persistent && Large::template fits<k, k>(call))
      return choices_of_kind<Kind>(call, [](auto) { return Large::template choice<k, k, true>(); });
  }
  if (persistent) return {};
  return choices_of_kind<Kind>(call, [&](auto) { return choose<TilesOn<Kind>, Kind>(call); });
}

}  // namespace tilestep::persistent_blocks
