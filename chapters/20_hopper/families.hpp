#pragma once
// From a problem to the kernels that compute it: the variants of the kernel, and the tiles that plan.cpp takes one of.

#include "kernel.hpp"  // HopperGemm

#include <tilestep/backend/wgmma_instruction.hpp>  // has_instruction
#include <tilestep/harness/gemm_choices.hpp>       // GemmChoice
#include <tilestep/harness/gemm_epilogue.hpp>      // epilogue_of
#include <tilestep/harness/gemm_launch.hpp>        // detail::dtype_stored
#include <tilestep/harness/gemm_schedule.hpp>      // machine_for
#include <tilestep/harness/tma_matrix.hpp>         // tma_takes, operand_tiles

#include <algorithm>  // std::max, std::min
#include <string>     // names

namespace tilestep {

// [ladder]
// From chapter 19's kernel to this one. Tiles of C have 128 x 256 elements as there, until two warpgroups have one
// each. One warp issues copies, others multiply
inline constexpr Variant from_producer{.roles = Roles::producer, .persistent = false, .copies_out = false};
// two blocks share a tile of B
inline constexpr Variant clustered{.roles = Roles::producer, .cluster_m = 2, .persistent = false, .copies_out = false};
// the producer loads the next tile during the epilogue
inline constexpr Variant persistent_blocks{.roles = Roles::producer, .cluster_m = 2, .copies_out = false};
// stmatrix, and TMA stores C
inline constexpr Variant copied_out{.roles = Roles::producer, .cluster_m = 2, .buffers = 2};
inline constexpr Variant ping_pong{};  // one warpgroup stores while the other multiplies
// [ladder]
// as copied_out, without clusters
inline constexpr Variant cooperative{.roles = Roles::producer, .buffers = 2};

/// Operands that TMA could read where they are, and that are copied all the same.
struct OnCopies {
  bool a = false, b = false;
};

/// The kernels on one tile, which differ in the layouts of A and B. The parameters are HopperConfig's, and whether
/// operands may lie along M and N.
template <int M, int N, int STAGES, Variant VARIANT, bool ANY_LAYOUT = true>
struct TileVariant {
  /// Clusters that run at the same time on the machine that the call is planned for. The multiprocessors of a cluster
  /// belong to one GPC, whose number is no multiple of four: an H200 of 132 runs 66 clusters of two, and 30 of four.
  static int clusters_at_once(GemmCall const& call) {
    int const blocks = VARIANT.cluster_m * VARIANT.cluster_n, units = machine_for(call).compute_units;
    return std::max(1, blocks == 4 ? units * 10 / 44 : units / blocks);
  }

  template <class T, Major A, Major B>
  static void run(GemmJob const& job) {
    using Config = HopperConfig<T, M, N, STAGES, VARIANT, A, B>;
    GemmCall const& call = job.call;
    if constexpr (backend_has_hopper) {
      int const k_tiles = detail::tiles_along(call.k, Config::K);
      // a copy has zeros up to the last tile's end
      auto const k = [&](bool copied) { return copied ? std::int64_t(k_tiles) * Config::K : call.k; };
      typename HopperGemm<Config>::Params const p{
          store_params<typename Config::AlongK>(job),
          operand_tiles<typename Config::TmaA>(call.a, call.stride_a, call.m, k(job.copied_a), call.batch,
                                               Config::cluster_m),
          operand_tiles<typename Config::TmaB>(call.b, call.stride_b, call.n, k(job.copied_b), call.batch,
                                               Config::cluster_n),
          k_tiles};
      launch(HopperGemm<Config>{}, std::int64_t(p.schedule.blocks) * Config::cluster, p);
    }
  }
  /// How C is stored. @tparam Config  with operands along K
  template <class Config>
  static StoreParams<Config> store_params(GemmJob const& job) {
    GemmCall const& call = job.call;
    StoreParams<Config> p{};
    p.epilogue = epilogue_of<float, typename Config::T>(job);
    p.m = int(call.m);
    p.n = int(call.n);
    p.schedule = job.schedule;
    if (VARIANT.persistent) p.schedule.blocks = std::min(p.schedule.tiles(), clusters_at_once(call));

    std::int64_t const sums = call.batch * job.schedule.slices;
    int const bytes = int(bytes_of(call.out));
    auto const& e = call.epilogue;
    // of C^T, a bias belongs to rows
    bool const by_columns = !(job.transposed && e.bias) && reinterpret_cast<std::uintptr_t>(e.bias) % 8 == 0;
    auto const takes = [&](void const* data, Strides const& s) {
      // TMA's stores do not end within 16 bytes; rows of a workspace have room for that
      bool const ends = job.schedule.slices > 1 || call.n * bytes % 16 == 0;
      return ends && tma_takes(data, s, call.m, call.n, sums, bytes, true);
    };
    void const* const added = e.has_residual ? e.residual : call.c;
    Strides const& stride_added = e.has_residual ? e.stride_residual : call.stride_c;
    p.adds = call.beta != 0 || e.has_residual;
    bool const one_added = !p.adds || (takes(added, stride_added) && !(call.beta != 0 && e.has_residual)),
               narrow_or_linear = p.epilogue.narrow || (!e.bias && e.activation == Activation::none);
    p.copies_out = VARIANT.copies_out && takes(call.c, call.stride_c) && one_added && by_columns && narrow_or_linear;
    p.adds = p.adds && p.copies_out;
    auto const describe = [&]<class TOut>(SlabCopies<Config, TOut>& copies) {
      copies.c = matrix_copy<decltype(copies.c)>(call.c, call.stride_c, call.m, call.n, sums);
      if (p.adds) copies.added = matrix_copy<decltype(copies.added)>(added, stride_added, call.m, call.n, sums);
    };
    if (p.copies_out && bytes == 2) describe(p.slabs);
    else if (p.copies_out) describe(p.slabs_f32);
    return p;
  }

  static std::string name(OnCopies on_copies) {
    std::string text = std::to_string(M) + "x" + std::to_string(N) + "x64";
    if (VARIANT.cluster_m > 1) text += "-m" + std::to_string(VARIANT.cluster_m);
    if (VARIANT.cluster_n > 1) text += "-n" + std::to_string(VARIANT.cluster_n);
    if (on_copies.a || on_copies.b) text += std::string("+") + (on_copies.a ? "A" : "") + (on_copies.b ? "B" : "");
    return text;
  }

  /// As an operand is stored where that is possible, else on a copy of it.
  /// @param on_copies  operands that are copied all the same
  template <class T>
  static GemmChoice choice(GemmCall const& call, OnCopies on_copies = {}) {
    auto const takes = [&](void const* data, Strides const& s, std::int64_t mn, bool along_k) {
      return tma_takes(data, s, mn, call.k, call.batch, 2, along_k);
    };
    bool const a_along_k = !on_copies.a && takes(call.a, call.stride_a, call.m, true),
               b_along_k = !on_copies.b && takes(call.b, call.stride_b, call.n, true);
    bool const a_along_m = ANY_LAYOUT && !on_copies.a && !a_along_k && takes(call.a, call.stride_a, call.m, false),
               b_along_n = ANY_LAYOUT && !on_copies.b && !b_along_k && takes(call.b, call.stride_b, call.n, false);
    TileOfBlock const tile{M * VARIANT.cluster_m, N * VARIANT.cluster_n, 64, 1};
    // the same in every layout
    constexpr std::int64_t shared = detail::shared_bytes<HopperGemm<HopperConfig<T, M, N, STAGES, VARIANT>>>;
    GemmChoice choice{name(on_copies),
                      tile,
                      shared,
                      run<T, Major::k, Major::k>,
                      !a_along_k && !a_along_m,
                      !b_along_k && !b_along_n,
                      clusters_at_once(call),
                      detail::row_bytes(widest_swizzle<T>(Major::mn, M / VARIANT.cluster_n, 64)),
                      detail::row_bytes(widest_swizzle<T>(Major::mn, N / VARIANT.cluster_m, 64))};
    choice.needless_copies = on_copies.a || on_copies.b;
    constexpr Major along = ANY_LAYOUT ? Major::mn : Major::k;
    if (a_along_m) choice.launch = b_along_n ? run<T, along, along> : run<T, along, Major::k>;
    else if (b_along_n) choice.launch = run<T, Major::k, along>;
    return choice;
  }
};

// [stages]
/// As many stages as fit beside C's slabs into the shared memory of a block, 16 at most.
constexpr int stages_beside(int m, int n, int consumers, int buffers) {
  int const shared = 227 * 1024, mbarriers_and_gaps = 2 * 1024, slabs = consumers * buffers * 64 * 128;
  return std::min(16, (shared - mbarriers_and_gaps - slabs) / ((m + n) * 64 * 2));
}
// [stages]

/// A tile whose rows two warpgroups share, or one has alone. C leaves through two buffers in turn.
template <int M, int N, int CLUSTER_M = 1, int CLUSTER_N = 1>
using Cooperative =
    TileVariant<M, N, stages_beside(M, N, M > 64 ? 2 : 1, 2),
                Variant{.roles = Roles::producer, .cluster_m = CLUSTER_M, .cluster_n = CLUSTER_N, .buffers = 2}>;
/// A tile for each of two warpgroups. The more buffers, the less they wait for TMA to read them, which short K show; a
/// stage fewer for that costs a tile of 128 x 192 nothing, one of 128 x 128 2 %.
template <int M, int N, int CLUSTER_M = 1, int CLUSTER_N = 1, int BUFFERS = N < 192 ? 2 : 3>
using PingPong = TileVariant<M, N, stages_beside(M, N, 2, BUFFERS),
                             Variant{.cluster_m = CLUSTER_M, .cluster_n = CLUSTER_N, .buffers = BUFFERS}>;

/// The tiles of these variants, if the call has this type, to f32 or to the same type again.
template <class T, class... Variants>
GemmChoices choices(GemmCall const& call, OnCopies on_copies = {}) {
  bool const computes = call.dtype == detail::dtype_stored<T> && call.acc == DType::f32 &&
                        (call.out == DType::f32 || call.out == call.dtype);
  if (!computes || !has_instruction<SM90_64xNx16_SS<256, detail::dtype_stored<T>>>(call.target)) return {};
  return {Variants::template choice<T>(call, on_copies)...};
}

// [on_copies]
/// These, and the same tiles on copies of operands whose rows begin at multiples of 16 bytes, and no more. TMA reads
/// those where they are, each row of a box from two lines of L2; rows of a copy begin with a line.
template <class T, class... Variants>
GemmChoices with_copies(GemmCall const& call) {
  GemmChoices const all = choices<T, Variants...>(call);
  if (all.empty()) return all;
  auto const in_two_lines = [](void const* data, Strides const& s) {
    return (std::int64_t(reinterpret_cast<std::uintptr_t>(data)) | 2 * std::max(s.row, s.col)) % 128 != 0;
  };
  bool const a = !all[0].copies_a && in_two_lines(call.a, call.stride_a),
             b = !all[0].copies_b && in_two_lines(call.b, call.stride_b);
  auto const on = [&](OnCopies of) {
    return (of.a && !a) || (of.b && !b) ? GemmChoices{} : choices<T, Variants...>(call, of);
  };
  return together(all, on({.a = true}), on({.b = true}), on({.a = true, .b = true}));
}
// [on_copies]

namespace kinds {

/// The variant that the call names as its kernel. All take operands along K: other layouts differ in boxes and
/// descriptors alone. A template, so that the other parts do not compile it.
template <class T>
struct Ladder {
  template <int M, int N, int STAGES, Variant VARIANT> using AlongK = TileVariant<M, N, STAGES, VARIANT, false>;
  static GemmChoices choices(GemmCall const& call) {
    auto const variant = [&]<class Only>(char const* name, Only) {
      return call.kernel == name ? tilestep::choices<T, Only>(call) : GemmChoices{};
    };
    return together(variant("producer", AlongK<128, 256, 4, from_producer>{}),
                    variant("cluster", AlongK<128, 256, 4, clustered>{}),
                    variant("persistent", AlongK<128, 256, 4, persistent_blocks>{}),
                    variant("copied_out", AlongK<128, 256, 4, copied_out>{}),
                    variant("ping_pong", AlongK<128, 192, 5, ping_pong>{}));
  }
};

/// The family that a plan chooses from.
template <class T, class... Variants>
struct Tuned {
  static GemmChoices choices(GemmCall const& call) {
    return call.kernel == "tuned" ? with_copies<T, Variants...>(call) : GemmChoices{};
  }
};
template <class T>
using hopper_16_bits = Tuned<T, PingPong<128, 192>, PingPong<128, 192, 2, 1>, PingPong<128, 192, 2, 2>,
                             PingPong<128, 160>, PingPong<128, 128>, PingPong<128, 112>>;
/// Fewer bytes from L2 for each product.
template <class T>
using hopper_16_bits_wide = Tuned<T, Cooperative<128, 256>, Cooperative<128, 256, 2, 1>, Cooperative<256, 128, 1, 2>,
                                  Cooperative<128, 128, 2, 2>>;
/// Small problems, and few rows or columns.
template <class T>
using hopper_16_bits_narrow =
    Tuned<T, Cooperative<128, 96>, Cooperative<128, 64>, Cooperative<64, 160>, Cooperative<64, 128>,
          Cooperative<64, 128, 4, 1>>;
template <class T>
using hopper_16_bits_few = Tuned<T, Cooperative<64, 64>, Cooperative<64, 32>, Cooperative<64, 16>>;
using hopper_bf16_ladder = Ladder<bfloat16_t>;
using hopper_bf16 = hopper_16_bits<bfloat16_t>;
using hopper_bf16_wide = hopper_16_bits_wide<bfloat16_t>;
using hopper_bf16_narrow = hopper_16_bits_narrow<bfloat16_t>;
using hopper_bf16_few = hopper_16_bits_few<bfloat16_t>;
using hopper_f16 = hopper_16_bits<half_t>;
using hopper_f16_wide = hopper_16_bits_wide<half_t>;
using hopper_f16_narrow = hopper_16_bits_narrow<half_t>;
using hopper_f16_few = hopper_16_bits_few<half_t>;

}  // namespace kinds

template <class Kind>
GemmChoices kernels_of(GemmCall const& call) {
  return Kind::choices(call);
}

}  // namespace tilestep
