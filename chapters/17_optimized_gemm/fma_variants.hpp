#pragma once
// The kernels for f32 by FMA on one tile: which of them takes a problem's operands as they are stored.

#include "fma_kernel.hpp"  // FmaGemm

#include <tilestep/atom/cdna.hpp>              // the matrix instruction that some targets have for f32
#include <tilestep/harness/gemm_choices.hpp>   // GemmChoice, GemmJob
#include <tilestep/harness/gemm_epilogue.hpp>  // epilogue_of
#include <tilestep/harness/gemm_launch.hpp>    // GemmCall, operand_takes_vectors

#include <algorithm>  // std::max

namespace tilestep {

/// The kernels on one tile, which differ in the layouts of A and B.
template <class BlkTile>
struct FmaTileVariant {
  template <Contiguous A, Contiguous B>
  static void run(GemmJob const& job) {
    GemmCall const& call = job.call;
    FmaParams const params{static_cast<float const*>(call.a),
                           static_cast<float const*>(call.b),
                           detail::matrix_layout(call.m, call.k, call.batch, call.stride_a),
                           detail::matrix_layout(call.n, call.k, call.batch, call.stride_b),
                           epilogue_of<float, float>(job),
                           job.schedule};
    launch(FmaGemm<FmaConfig<BlkTile, A, B>>{}, job.schedule.blocks, params);
  }

  /// As an operand is stored where that is possible, else on a copy of it.
  static GemmChoice choice(GemmCall const& call) {
    using enum Contiguous;
    auto const a_takes = [&](bool along_k) {
      return operand_takes_vectors(call.a, call.stride_a, call.m, call.k, 4, BlkTile::m, BlkTile::k, along_k);
    };
    auto const b_takes = [&](bool along_k) {
      return operand_takes_vectors(call.b, call.stride_b, call.n, call.k, 4, BlkTile::n, BlkTile::k, along_k);
    };
    bool const a_along_m = !a_takes(true) && a_takes(false), b_along_n = !b_takes(true) && b_takes(false);
    constexpr TileOfBlock tile{BlkTile::m, BlkTile::n, BlkTile::k, BlkTile::resident_blocks};
    using Kernel = FmaGemm<FmaConfig<BlkTile, k, k>>;
    constexpr std::int64_t shared = detail::shared_bytes<Kernel>;
    GemmChoice choice{name_of(tile),
                  tile,
                  shared,
                  a_along_m ? (b_along_n ? run<mn, mn> : run<mn, k>) : (b_along_n ? run<k, mn> : run<k, k>),
                  !a_along_m && !a_takes(true),
                  !b_along_n && !b_takes(true)};
    choice.fill_a_unit = std::max(1, 4 * 32 / Kernel::threads);  // four schedulers
    choice.of_rate = Kernel::share_of_multiply_adds;
    return choice;
  }
};

/// Tiles for f32 where the target has no matrix instruction for it.
template <class... Tiles>
struct FmaTiles {
  static GemmChoices choices(GemmCall const& call) {
    if (call.dtype != DType::f32 || has_instruction<CDNA_32x32x2_F32F32F32F32>(call.target)) return {};
    return {Tiles::choice(call)...};
  }
};

}  // namespace tilestep
