#pragma once
// From a problem to a kernel: which way the tiles travel on its target, and on which tile of C. Each family of targets
// has its own sources, so that no compiler has to read all kernels at once.

#include "kernel.hpp"  // PipelinedGemm

#include <tilestep/harness/gemm_kinds.hpp>   // the families
#include <tilestep/harness/gemm_launch.hpp>  // GemmCall, launch_gemm, takes_vectors

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

// The steps on the way: the other values of --kernel, f16 -> f32 along K. Nothing where the target has no such step.
std::optional<Choice> nvidia_steps(GemmCall const& call);
std::optional<Choice> cdna_steps(GemmCall const& call);
std::optional<Choice> rdna3_steps(GemmCall const& call);
std::optional<Choice> rdna4_steps(GemmCall const& call);

/// The same problem on copies of A and B with rows along K and zeros after them. Launches the copies.
GemmCall launch_repack(GemmCall const& call);

/// The kernels of one kind that differ in the layouts of A and B. The other parameters are Pipeline's.
template <class Kind, class BlkTile, Route By, int Stages, int Fragments = 2, int Bytes = 16>
struct TileVariant {
  using In = typename Kind::TIn;
  // by ldmatrix.trans
  static constexpr bool transposes = detail::is_nvidia<typename Kind::Instruction> && sizeof(In) == 2 &&
                                     sizeof(typename Kind::TOut) == 4;
  template <Contiguous A, Contiguous B>
  using Config =
      Pipeline<GemmConfig<typename Kind::Instruction, BlkTile, In, A, B, 16 / int(sizeof(In)), Arrangement::swizzled>,
               By, Stages, Fragments, Bytes>;

  template <Contiguous A, Contiguous B>
  static void launch(GemmCall const& call) {
    launch_gemm<PipelinedGemm<Config<A, B>, typename Kind::TOut, typename Kind::TScale>, In, In, typename Kind::TOut,
                typename Kind::TScale>(call);
  }
  /// Can the operands be copied in vectors as they are stored?
  template <Contiguous A, Contiguous B>
  static bool fits(GemmCall const& call) { return takes_vectors<Config<A, B>>(call); }
};

// [ways]
// Two kinds of tiles, and which way they travel. tf32 is rounded on the way, which only registers can do.
template <class Kind>
using OnNvidia = TileVariant<Kind, BlockTile<128, 256, Kind::BlkTile::k, 2, 4>,
                             Kind::Instruction::a == MatrixType::tf32 ? Route::registers : Route::async,
                             Kind::Instruction::a == MatrixType::tf32 ? 2 : 4>;
template <class Kind>
using OnCdna = TileVariant<Kind, typename Kind::BlkTile, Route::registers, 1>;
template <class Kind, int Fragments>
using OnRdna = TileVariant<Kind, BlockTile<128, 256, Kind::BlkTile::k, 2, 4>, Route::registers, 1, Fragments>;
// each lane has the whole row of an operand: fragments of one half are 64 registers
template <class Kind> using OnRdna3 = OnRdna<Kind, 1>;
template <class Kind> using OnRdna4 = OnRdna<Kind, 2>;
template <class Kind> using OnFma = TileVariant<Kind, typename Kind::BlkTile, Route::registers, 1, 1>;
// [ways]

/// As the operands are stored where that is possible, else on repacked copies of them.
template <class Variant>
Choice choose(GemmCall const& call) {
  using enum Contiguous;
  if (Variant::template fits<k, k>(call)) return {Variant::template launch<k, k>};
  if constexpr (Variant::transposes) {
    if (Variant::template fits<k, mn>(call)) return {Variant::template launch<k, mn>};
    if (Variant::template fits<mn, k>(call)) return {Variant::template launch<mn, k>};
    if (Variant::template fits<mn, mn>(call)) return {Variant::template launch<mn, mn>};
  }
  return {[](GemmCall const& c) { Variant::template launch<k, k>(launch_repack(c)); }};
}

/// A step for operands whose rows are whole vectors along K.
template <class Variant>
Choice step(GemmCall const& call) {
  using enum Contiguous;
  if (Variant::template fits<k, k>(call)) return {Variant::template launch<k, k>};
  return {nullptr,
          "the steps before --kernel pipelined are for rows that are multiples of 16 bytes, in layout nt: take "
          "--kernel pipelined"};
}

}  // namespace tilestep
