#pragma once
// From a problem to a kernel and its schedule. Each family of targets has its own sources, so that no compiler has to
// read all kernels at once.

#include "kernel.hpp"  // ScheduledGemm

#include <tilestep/harness/gemm_kinds.hpp>   // the families
#include <tilestep/harness/gemm_launch.hpp>  // gemm_params, takes_vectors

#include <optional>  // a family may have nothing for a problem

namespace tilestep {

/// A kernel: its tile, how it is launched, and whether on copies of the operands.
struct Choice {
  TileOfBlock tile;
  void (*launch)(GemmCall const&, TileSchedule const&);
  bool repacked = false;
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

// With blocks for several tiles: f16 -> f32 along K. Nothing where the target has no such kernel.
std::optional<Choice> nvidia_persistent(GemmCall const& call);
std::optional<Choice> cdna_persistent(GemmCall const& call);
std::optional<Choice> rdna3_persistent(GemmCall const& call);
std::optional<Choice> rdna4_persistent(GemmCall const& call);

// Passes over memory beside the kernel.
GemmCall launch_repack(GemmCall const& call);  ///< launches the copies of A and B: rows along K, zeros after them
GemmCall in_workspace(GemmCall const& call, int slices);  ///< the same product with its sums in a workspace
void add_up(GemmCall const& call, GemmCall const& sums, int slices);           ///< launches the second pass

/// The kernels of one kind on one tile that differ in the layouts of A and B. The other parameters are Pipeline's.
template <class Kind, class BlkTile, Route By, int Stages, int Fragments = 2>
struct TileVariant {
  using In = typename Kind::TIn;
  using Out = typename Kind::TOut;
  using Scale = typename Kind::TScale;
  // by ldmatrix.trans
  static constexpr bool transposes = detail::is_nvidia<typename Kind::Instruction> && Kind::widens;
  template <Contiguous A, Contiguous B>
  using Config =
      Pipeline<GemmConfig<typename Kind::Instruction, BlkTile, In, A, B, 16 / int(sizeof(In)), Arrangement::swizzled>,
               By, Stages, Fragments>;

  template <Contiguous A, Contiguous B, bool Persistent = false>
  static Choice choice(bool repacked = false) {
    return {{BlkTile::m, BlkTile::n, BlkTile::k, BlkTile::resident_blocks},
            [](GemmCall const& call, TileSchedule const& schedule) {
              using Kernel = ScheduledGemm<Config<A, B>, Out, Scale, Persistent>;
              auto params = typename Kernel::Params{gemm_params<In, In, Out, Scale>(call), schedule};
              launch(Kernel{}, schedule.blocks, params);
            },
            repacked};
  }
  /// Can the operands be copied in vectors as they are stored?
  template <Contiguous A, Contiguous B>
  static bool fits(GemmCall const& call) { return takes_vectors<Config<A, B>>(call); }
};

// [ways]
// Large tiles, medium ones for small problems, small ones for few rows, and which way they travel. tf32 is rounded on
// the way, which only registers can do.
template <class Kind>
struct OnNvidia {
  static constexpr bool rounds = Kind::Instruction::a == MatrixType::tf32;
  static constexpr int k = Kind::BlkTile::k;
  using Large =
      TileVariant<Kind, BlockTile<128, 256, k, 2, 4>, rounds ? Route::registers : Route::async, rounds ? 2 : 4>;
  using Medium = TileVariant<Kind, BlockTile<64, 128, 2 * k, 2, 2, 2>, Route::async, 4>;
  using Small = TileVariant<Kind, BlockTile<16, 64, 2 * k, 1, 4, 2>, Route::async, 8>;
};
template <class Kind>
struct OnCdna {
  using Large = TileVariant<Kind, typename Kind::BlkTile, Route::registers, 1>;
  using Medium = TileVariant<Kind, BlockTile<32, 128, 2 * Kind::BlkTile::k, 1, 4, 2>, Route::registers, 1>;
  using Small = Medium;
};
template <class Kind, int Fragments>
struct OnRdna {
  static constexpr int k = Kind::BlkTile::k;
  using Large = TileVariant<Kind, BlockTile<128, 256, k, 2, 4>, Route::registers, 1, Fragments>;
  using Medium = TileVariant<Kind, BlockTile<32, 128, 2 * k, 1, 4>, Route::registers, 1, 1>;
  using Small = Medium;
};
// each lane has the whole row of an operand: fragments of one half are 64 registers
template <class Kind> using OnRdna3 = OnRdna<Kind, 1>;
template <class Kind> using OnRdna4 = OnRdna<Kind, 2>;
template <class Kind>
struct OnFma {
  using Large = TileVariant<Kind, typename Kind::BlkTile, Route::registers, 1, 1>;
};
// [ways]

/// On medium and small tiles, as the operands are stored: B is the larger one, and lies along K or N.
template <class Variant>
std::optional<Choice> choose_lesser(GemmCall const& call) {
  using enum Contiguous;
  if (Variant::template fits<k, k>(call)) return Variant::template choice<k, k>();
  if constexpr (Variant::transposes) {
    if (Variant::template fits<k, mn>(call)) return Variant::template choice<k, mn>();
  }
  return std::nullopt;
}

/// On large tiles, as the operands are stored.
template <class Variant>
std::optional<Choice> choose_large(GemmCall const& call) {
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
/// repacked copies of them. 16 bits to f32 have tiles of all sizes, the other types large ones.
template <class On, class Kind>
Choice choose(GemmCall const& call) {
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

/// The same for blocks that take several tiles: large ones of operands that lie along K.
template <class On>
std::optional<Choice> choose_persistent(GemmCall const& call) {
  using enum Contiguous;
  if (On::Large::template fits<k, k>(call)) return On::Large::template choice<k, k, true>();
  return std::nullopt;
}

}  // namespace tilestep
