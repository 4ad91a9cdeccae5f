#pragma once
// From a problem to the kernels that compute it: the rungs of the ladder, and the tiles that plan.cpp takes one of.

#include "kernel.hpp"  // HopperGemm

#include <tilestep/harness/gemm_choices.hpp>   // GemmChoice
#include <tilestep/harness/gemm_epilogue.hpp>  // epilogue_of
#include <tilestep/harness/gemm_launch.hpp>    // detail::dtype_stored
#include <tilestep/harness/gemm_schedule.hpp>  // machine_for
#include <tilestep/harness/tma_matrix.hpp>     // copy_engine_takes, matrix_copy

#include <algorithm>  // std::max, std::min
#include <string>     // names

namespace tilestep {

// [ladder]
// From chapter 19's kernel to this one. Tiles of C have 128 x 256 elements as there, until two warpgroups have one
// each. One warp issues copies, others multiply
inline constexpr Rung from_producer{.roles = Roles::producer, .persistent = false, .copies_out = false};
// two blocks share a tile of B
inline constexpr Rung in_clusters{.roles = Roles::producer, .cluster_m = 2, .persistent = false, .copies_out = false};
// the producer loads the next tile during the epilogue
inline constexpr Rung rung_persistent{.roles = Roles::producer, .cluster_m = 2, .copies_out = false};
// stmatrix, and TMA stores C
inline constexpr Rung copied_out{.roles = Roles::producer, .cluster_m = 2, .buffers = 2};
inline constexpr Rung ping_pong{};  // one warpgroup stores while the other multiplies
// [ladder]
inline constexpr Rung ping_pong_m2{.cluster_m = 2};                           // as ping_pong, in clusters
inline constexpr Rung cooperative{.roles = Roles::producer, .buffers = 2};  // as copied_out, without clusters

/// The kernels on one tile, which differ in the layouts of A and B. The parameters are HopperConfig's, and which
/// operands may lie along M and N.
template <int M, int N, int STAGES, Rung RUNG, bool ANY_A = true, bool ANY_B = true>
struct TileVariant {
  template <class T, Major A, Major B>
  static void run(GemmJob const& job) {
    using Config = HopperConfig<T, M, N, STAGES, RUNG, A, B>;
    using Kernel = HopperGemm<Config>;
    using Sums = typename Kernel::Sums;
    GemmCall const& call = job.call;
    if constexpr (backend_has_hopper) {
      typename Kernel::Params p{};
      p.tma_a = matrix_copy<typename Config::TmaA>(call.a, call.stride_a, call.m, call.k, call.batch);
      p.tma_b = matrix_copy<typename Config::TmaB>(call.b, call.stride_b, call.n, call.k, call.batch);
      p.epilogue = epilogue_of<float, T>(job);
      p.m = int(call.m);
      p.n = int(call.n);
      p.k_tiles = detail::tiles_along(call.k, Config::K);
      p.schedule = job.schedule;
      std::int64_t const sums = call.batch * job.schedule.slices;
      int const bytes = int(bytes_of(call.out));
      auto const& e = call.epilogue;
      bool const by_sums_alone = p.epilogue.plain ||
                                 (call.beta == 0 && !e.has_residual && p.epilogue.narrow &&
                                  reinterpret_cast<std::uintptr_t>(e.bias) % 8 == 0);
      p.copies_out = RUNG.copies_out && by_sums_alone && call.n * bytes % 16 == 0 &&
                     copy_engine_takes(call.c, call.stride_c, call.m, call.n, sums, bytes, true);
      if (p.copies_out && bytes == 2)
        p.tma_c = matrix_copy<TmaSlab<Sums, T>>(call.c, call.stride_c, call.m, call.n, sums);
      else if (p.copies_out)
        p.tma_c_f32 = matrix_copy<TmaSlab<Sums, float>>(call.c, call.stride_c, call.m, call.n, sums);
      if (RUNG.persistent)
        p.schedule.blocks =
            std::min(p.schedule.tiles(), std::max(1, machine_for(call).compute_units / Config::cluster));
      launch(Kernel{}, std::int64_t(p.schedule.blocks) * Config::cluster, p);
    }
  }

  static std::string name() {
    std::string text = std::to_string(M) + "x" + std::to_string(N) + "x64";
    if (RUNG.cluster_m > 1) text += "-m" + std::to_string(RUNG.cluster_m);
    if (RUNG.cluster_n > 1) text += "-n" + std::to_string(RUNG.cluster_n);
    return text;
  }

  /// As an operand is stored where that is possible, else on a copy of it.
  template <class T>
  static GemmChoice choice(GemmCall const& call) {
    auto const takes = [&](void const* data, Strides const& s, std::int64_t mn, bool along_k) {
      return copy_engine_takes(data, s, mn, call.k, call.batch, 2, along_k);
    };
    bool const a_along_k = takes(call.a, call.stride_a, call.m, true),
               b_along_k = takes(call.b, call.stride_b, call.n, true);
    bool const a_along_m = ANY_A && !a_along_k && takes(call.a, call.stride_a, call.m, false);
    bool const b_along_n = ANY_B && !b_along_k && takes(call.b, call.stride_b, call.n, false);
    TileOfBlock const tile{M * RUNG.cluster_m, N * RUNG.cluster_n, 64, 1};
    // the same in every layout
    constexpr std::int64_t shared = detail::shared_bytes<HopperGemm<HopperConfig<T, M, N, STAGES, RUNG>>>;
    GemmChoice choice{
        name(), tile, shared, run<T, Major::k, Major::k>, !a_along_k && !a_along_m, !b_along_k && !b_along_n};
    if constexpr (ANY_A && ANY_B) {
      if (a_along_m && b_along_n) choice.launch = run<T, Major::mn, Major::mn>;
    }
    if constexpr (ANY_A) {
      if (a_along_m && !b_along_n) choice.launch = run<T, Major::mn, Major::k>;
    }
    if constexpr (ANY_B) {
      if (!a_along_m && b_along_n) choice.launch = run<T, Major::k, Major::mn>;
    }
    return choice;
  }
};

/// The tiles of these variants, if the call has this type, to f32 or to the same type again.
template <class T, class... Variants>
GemmChoices choices(GemmCall const& call) {
  bool const computes = call.dtype == detail::dtype_stored<T> && call.acc == DType::f32 &&
                        (call.out == DType::f32 || call.out == call.dtype);
  if (!computes || call.target != "sm90") return {};
  return {Variants::template choice<T>(call)...};
}

namespace kinds {

/// The rung that the call names as its kernel. All take operands along K: other layouts differ in boxes and descriptors
/// alone. A template, so that the other parts do not compile it.
template <class T>
struct Ladder {
  template <int M, int N, int STAGES, Rung RUNG> using AlongK = TileVariant<M, N, STAGES, RUNG, false, false>;
  static GemmChoices choices(GemmCall const& call) {
    auto const rung = [&]<class Only>(char const* name, Only) {
      return call.kernel == name ? tilestep::choices<T, Only>(call) : GemmChoices{};
    };
    return together(
        rung("producer", AlongK<128, 256, 4, from_producer>{}), rung("cluster", AlongK<128, 256, 4, in_clusters>{}),
        rung("persistent", AlongK<128, 256, 4, rung_persistent>{}),
        rung("copied_out", AlongK<128, 256, 4, copied_out>{}), rung("ping_pong", AlongK<128, 192, 5, ping_pong>{}));
  }
};

/// The tuned family.
template <class T, class... Variants>
struct Tuned {
  static GemmChoices choices(GemmCall const& call) {
    return call.kernel == "tuned" ? tilestep::choices<T, Variants...>(call) : GemmChoices{};
  }
};
template <class T>
using hopper_16_bits =
    Tuned<T, TileVariant<128, 192, 5, ping_pong>, TileVariant<128, 128, 6, ping_pong>,
          TileVariant<128, 256, 4, cooperative>, TileVariant<128, 128, 6, ping_pong_m2>,
          TileVariant<128, 192, 5, ping_pong_m2, true, false>, TileVariant<128, 112, 6, ping_pong, true, false>,
          TileVariant<128, 176, 5, ping_pong, true, false>>;
/// Few columns, or small problems.
template <class T>
using hopper_16_bits_few =
    Tuned<T, TileVariant<128, 64, 8, cooperative>, TileVariant<64, 16, 16, cooperative, true, false>,
          TileVariant<64, 32, 14, cooperative, true, false>, TileVariant<64, 64, 12, cooperative>>;
using hopper_bf16_ladder = Ladder<bfloat16_t>;
using hopper_bf16 = hopper_16_bits<bfloat16_t>;
using hopper_bf16_few = hopper_16_bits_few<bfloat16_t>;
using hopper_f16 = hopper_16_bits<half_t>;
using hopper_f16_few = hopper_16_bits_few<half_t>;

}  // namespace kinds

template <class Kind>
GemmChoices kernels_of(GemmCall const& call) {
  return Kind::choices(call);
}

}  // namespace tilestep
