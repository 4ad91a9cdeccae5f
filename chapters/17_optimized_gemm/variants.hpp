#pragma once
// The kernels on one tile: which of them takes a problem's operands as they are stored, and with which parameters.

#include "kernel.hpp"  // OptimizedGemm

#include <tilestep/harness/gemm_choices.hpp>   // GemmChoice, GemmJob, together
#include <tilestep/harness/gemm_epilogue.hpp>  // epilogue_of
#include <tilestep/harness/gemm_launch.hpp>    // GemmCall, operand_takes_vectors
#include <tilestep/harness/gemm_types.hpp>     // detail::dtype_stored

namespace tilestep::optimized_gemm {

/// What is multiplied by one instruction. @tparam TNarrow_  the type that C may have instead of the sums'
/// @tparam Banks  of shared memory that its tiles are swizzled for: a target must have as many
template <class Op, class TNarrow_, int Banks = detail::banks_of<Op>()>
struct Product {
  using Instruction = Op;
  static constexpr int banks = Banks;
  using TIn = typename MmaTraits<Op>::ValA;
  using TNarrow = TNarrow_;
  using TScale = ScaleOf<typename MmaTraits<Op>::ValC>;
  static constexpr bool here = backend_has<Op>;  ///< kernels of this backend can contain it
  /// reads columns of a tile as it does rows
  static constexpr bool transposes = detail::takes_ldmatrix_trans<Op> || detail::reads_words_across<Op>;
  static bool computes(GemmCall const& call) {
    return call.dtype == Op::a && call.acc == Op::c &&
           (call.out == detail::dtype_stored<TScale> || call.out == detail::dtype_stored<TNarrow>) &&
           has_instruction<Op>(call.target) && target_info(call.target).phases(false, 16).banks >= Banks;
  }
};

/// The kernels on one tile, which differ in the layouts of A and B. The parameters are Pipeline's, and which operands
/// may lie along M and N.
template <class BlkTile, Route By, int Stages, int Fragments = 2, bool AnyA = true, bool AnyB = true>
struct TileVariant {
  template <class P, Contiguous A, Contiguous B>
  using Config = Pipeline<GemmConfig<typename P::Instruction, BlkTile, typename P::TIn, A, B,
                                     16 / int(sizeof(typename P::TIn)), Arrangement::swizzled, P::banks>,
                          By, Stages, Fragments>;

  template <class P, Contiguous A, Contiguous B>
  static void run(GemmJob const& job) {
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
  static GemmChoice choice(GemmCall const& call) {
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
    GemmChoice choice{name_of(tile), tile, shared, run<P, k, k>, !a_along_k && !a_along_m, !b_along_k && !b_along_n};
    choice.ahead = Config<P, k, k>::ahead;
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

/// Tiles for one product: none where a problem has other types, or the target no such instruction.
template <class P, class... Tiles>
struct TilesFor {
  static GemmChoices choices(GemmCall const& call) {
    if constexpr (P::here) {
      if (P::computes(call)) return {Tiles::template choice<P>(call)...};
    }
    return {};
  }
};

}  // namespace tilestep::optimized_gemm
