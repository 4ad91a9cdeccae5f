#pragma once
// From a problem to the kernels that compute it. Each family of instructions has its own sources, so that no compiler
// has to read all kernels at once. A source offers tiles; the harness's planner takes one.

#include "kernel.hpp"  // OptimizedGemm

#include <tilestep/harness/gemm_choices.hpp>   // GemmChoice, GemmJob, together
#include <tilestep/harness/gemm_epilogue.hpp>  // epilogue_of
#include <tilestep/harness/gemm_kinds.hpp>     // detail::dtype_of
#include <tilestep/harness/gemm_launch.hpp>    // GemmCall, operand_takes_vectors

namespace tilestep {

using Job = GemmJob;
using Choice = GemmChoice;
using Choices = GemmChoices;

// Each: none where the target has no instruction for these types.
Choices nvidia_f16(GemmCall const& call);       ///< by mma.sync, tiles of 128 rows and more
Choices nvidia_f16_few(GemmCall const& call);   ///< the same for few rows
Choices nvidia_bf16(GemmCall const& call);
Choices nvidia_bf16_few(GemmCall const& call);
Choices nvidia(GemmCall const& call);           ///< its other types
Choices cdna4(GemmCall const& call);            ///< by gfx950's own MFMA, f16 and bf16: to be asked before cdna_*
Choices cdna4_few(GemmCall const& call);        ///< the same for small problems and few rows
Choices cdna4_others(GemmCall const& call);     ///< f32 and i8
Choices cdna_f16(GemmCall const& call);         ///< by MFMA
Choices cdna_f16_few(GemmCall const& call);     ///< the same for small problems and few rows
Choices cdna_bf16(GemmCall const& call);
Choices cdna_bf16_few(GemmCall const& call);
Choices cdna_f32(GemmCall const& call);
Choices cdna_i8(GemmCall const& call);
Choices rdna3_f16(GemmCall const& call);        ///< by WMMA
Choices rdna3_f16_few(GemmCall const& call);
Choices rdna3_bf16(GemmCall const& call);
Choices rdna3_bf16_few(GemmCall const& call);
Choices rdna3_i8(GemmCall const& call);
Choices rdna4_f16(GemmCall const& call);        ///< by WMMA
Choices rdna4_f16_few(GemmCall const& call);
Choices rdna4_bf16(GemmCall const& call);
Choices rdna4_bf16_few(GemmCall const& call);
Choices rdna4_i8(GemmCall const& call);
Choices by_fma(GemmCall const& call);           ///< f32 where the target has no matrix instruction for it

/// What is multiplied by one instruction. @tparam TNarrow_  the type that C may have instead of the sums'
template <class Op, class TNarrow_>
struct Product {
  using Instruction = Op;
  using TIn = typename MmaTraits<Op>::ValA;
  using TNarrow = TNarrow_;
  using TScale = std::conditional_t<Op::c == MatrixType::i32, std::int32_t, float>;
  static constexpr bool here = backend_has<Op>;  ///< kernels of this backend can contain it
  /// reads columns as it does rows, by ldmatrix.trans
  static constexpr bool transposes = detail::is_nvidia<Op> && sizeof(TIn) == 2;
  static bool computes(GemmCall const& call) {
    return call.dtype == detail::dtype_of(Op::a) && call.acc == detail::dtype_of(Op::c) &&
           (call.out == detail::dtype_stored<TScale> || call.out == detail::dtype_stored<TNarrow>) &&
           has_instruction<Op>(call.target);
  }
};

/// The kernels on one tile, which differ in the layouts of A and B. The parameters are Pipeline's, and which operands
/// may lie along M and N.
template <class BlkTile, Route By, int Stages, int Fragments = 2, bool AnyA = true, bool AnyB = true>
struct TileVariant {
  template <class P, Contiguous A, Contiguous B>
  using Config = Pipeline<GemmConfig<typename P::Instruction, BlkTile, typename P::TIn, A, B,
                                     16 / int(sizeof(typename P::TIn)), Arrangement::swizzled>,
                          By, Stages, Fragments>;

  template <class P, Contiguous A, Contiguous B>
  static void run(Job const& job) {
    using Kernel = OptimizedGemm<Config<P, A, B>, typename P::TNarrow>;
    using In = typename P::TIn;
    GemmCall const& call = job.call;
    typename Kernel::Params const params{static_cast<In const*>(call.a),
                                         static_cast<In const*>(call.b),
                                         detail::matrix_layout(call.m, call.k, call.batch, call.stride_a),
                                         detail::matrix_layout(call.n, call.k, call.batch, call.stride_b),
                                         epilogue_of<typename P::TScale, typename P::TNarrow>(job),
                                         job.schedule};
    launch(Kernel{}, job.schedule.blocks, params);
  }

  /// As an operand is stored where that is possible, else on a copy of it.
  template <class P>
  static Choice choice(GemmCall const& call) {
    using enum Contiguous;
    constexpr bool any_a = P::transposes && AnyA, any_b = P::transposes && AnyB;
    constexpr int bytes = int(sizeof(typename P::TIn));
    bool const a_along_k =
        operand_takes_vectors(call.a, call.stride_a, call.m, call.k, bytes, BlkTile::m, BlkTile::k, true);
    bool const b_along_k =
        operand_takes_vectors(call.b, call.stride_b, call.n, call.k, bytes, BlkTile::n, BlkTile::k, true);
    bool const a_along_m =
        any_a && !a_along_k &&
        operand_takes_vectors(call.a, call.stride_a, call.m, call.k, bytes, BlkTile::m, BlkTile::k, false);
    bool const b_along_n =
        any_b && !b_along_k &&
        operand_takes_vectors(call.b, call.stride_b, call.n, call.k, bytes, BlkTile::n, BlkTile::k, false);
    constexpr TileOfBlock tile{BlkTile::m, BlkTile::n, BlkTile::k, BlkTile::resident_blocks};
    // the same in every layout
    constexpr std::int64_t shared = detail::shared_bytes<OptimizedGemm<Config<P, k, k>, typename P::TNarrow>>;
    Choice choice{name_of(tile), tile, shared, run<P, k, k>, !a_along_k && !a_along_m, !b_along_k && !b_along_n};
    if constexpr (any_a && any_b) {
      if (a_along_m && b_along_n) choice.launch = run<P, mn, mn>;
    }
    if constexpr (any_a) {
      if (a_along_m && !b_along_n) choice.launch = run<P, mn, k>;
    }
    if constexpr (any_b) {
      if (!a_along_m && b_along_n) choice.launch = run<P, k, mn>;
    }
    return choice;
  }
};
/// For few rows: A is small, and copied where it does not lie along K.
template <class BlkTile, Route By, int Stages, int Fragments = 2>
using SkinnyVariant = TileVariant<BlkTile, By, Stages, Fragments, false>;

/// The tiles that compute a problem with this product: none where it has other types, or the target no such
/// instruction.
template <class P, class... Tiles>
Choices choices(GemmCall const& call) {
  if constexpr (P::here) {
    if (P::computes(call)) return {Tiles::template choice<P>(call)...};
  }
  return {};
}

}  // namespace tilestep
