#pragma once
// The kernels for f32 by FMA on one tile: which of them takes a problem's operands as they are stored.

#include "fma_kernel.hpp"  // FmaGemm

#include <tilestep/atom/cdna.hpp>              // the matrix instruction that some targets have for f32
#include <tilestep/harness/gemm_choices.hpp>   // GemmChoice, GemmJob
#include <tilestep/harness/gemm_epilogue.hpp>  // epilogue_of
#include <tilestep/harness/gemm_launch.hpp>    // GemmCall, operand_takes_vectors

namespace tilestep::optimized_gemm {

/// The kernels on one tile, which differ in the layouts of A and B, and in how many of their elements are read at once.
template <class BlkTile>
struct FmaTileVariant {
  template <Contiguous A, Contiguous B, int Width>
  static void run(GemmJob const& job) {
    GemmCall const& call = job.call;
    FmaParams const params{static_cast<float const*>(call.a),
                           static_cast<float const*>(call.b),
                           detail::matrix_layout(call.m, call.k, call.batch, call.stride_a),
                           detail::matrix_layout(call.n, call.k, call.batch, call.stride_b),
                           epilogue_of<float, float>(job),
                           job.schedule};
    launch(FmaGemm<FmaConfig<BlkTile, A, B, Width>>{}, job.schedule.blocks, params);
  }
  template <int Width>
  static auto kernel(bool a_along_m, bool b_along_n) {
    using enum Contiguous;
    return a_along_m ? (b_along_n ? run<mn, mn, Width> : run<mn, k, Width>)
                     : (b_along_n ? run<k, mn, Width> : run<k, k, Width>);
  }

  /// How an operand of (mn,k) can be read by so many bytes.
  struct Reads {
    bool along_k, along_mn;
    Reads(void const* data, Strides const& s, std::int64_t mn, std::int64_t k, int tile_mn, int bytes)
        : along_k(operand_takes_vectors(data, s, mn, k, 4, tile_mn, BlkTile::k, true, false, bytes)),
          along_mn(!along_k && operand_takes_vectors(data, s, mn, k, 4, tile_mn, BlkTile::k, false, false, bytes)) {}
    bool any() const { return along_k || along_mn; }
  };

  /// As the operands are stored: by 16 bytes, or where rows of one start at no multiples of them, by 4. An operand
  /// whose elements stand side by side along neither mode is copied.
  static GemmChoice choice(GemmCall const& call) {
    using enum Contiguous;
    auto const a_by = [&](int bytes) { return Reads(call.a, call.stride_a, call.m, call.k, BlkTile::m, bytes); };
    auto const b_by = [&](int bytes) { return Reads(call.b, call.stride_b, call.n, call.k, BlkTile::n, bytes); };
    bool const wide = (a_by(16).any() || !a_by(4).any()) && (b_by(16).any() || !b_by(4).any());
    Reads const a = a_by(wide ? 16 : 4), b = b_by(wide ? 16 : 4);
    constexpr TileOfBlock tile{BlkTile::m, BlkTile::n, BlkTile::k, BlkTile::resident_blocks};
    constexpr std::int64_t shared = detail::shared_bytes<FmaGemm<FmaConfig<BlkTile, k, k>>>;
    return {.name = name_of(tile),
            .tile = tile,
            .shared_bytes = shared,
            .launch = wide ? kernel<4>(a.along_mn, b.along_mn) : kernel<1>(a.along_mn, b.along_mn),
            .copies_a = !a.any(),
            .copies_b = !b.any(),
            .by_elements = !wide};
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

}  // namespace tilestep::optimized_gemm
