#pragma once
// From a problem to a kernel: which instruction the target has for its types, and how its operands are best copied. Each source holds a few
// kernels of one family of targets, so that no compiler has to read all of them at once.

#include "kernel.hpp"  // PaddedGemm

#include <tilestep/block/gemm_config.hpp>    // GemmConfig, BlockTile
#include <tilestep/harness/gemm_launch.hpp>  // GemmCall, launch_gemm, takes_vectors

#include <optional>  // a target may have none
#include <string>    // a kernel's name

namespace tilestep {

/// What a problem will run on.
struct Choice {
  std::string kernel;  ///< scalars, vectors or repacked
  void (*launch)(GemmCall const&);
};

// Each: nothing where the target has no instruction for these types.
std::optional<Choice> nvidia_f16(GemmCall const& call);   ///< mma.sync
std::optional<Choice> nvidia_bf16(GemmCall const& call);
std::optional<Choice> nvidia(GemmCall const& call);       ///< tf32 and i8
std::optional<Choice> cdna_f16(GemmCall const& call);     ///< MFMA
std::optional<Choice> cdna_bf16(GemmCall const& call);
std::optional<Choice> cdna(GemmCall const& call);         ///< f32 and i8
std::optional<Choice> rdna3_f16(GemmCall const& call);    ///< WMMA
std::optional<Choice> rdna3(GemmCall const& call);        ///< bf16 and i8
std::optional<Choice> rdna4_f16(GemmCall const& call);    ///< WMMA
std::optional<Choice> rdna4(GemmCall const& call);        ///< bf16 and i8
std::optional<Choice> by_fma(GemmCall const& call);       ///< f32 where the target has no matrix instruction for it

/// The same problem with its operands where `repacked` puts them, before they are there: rows along K, with zeros after them.
GemmCall padded(GemmCall const& call);
/// Launches the copies of A and B into padded buffers. @return padded(call) on these buffers
GemmCall repacked(GemmCall const& call);

// [pays]
/// Is it worth repacking? Element by element, the kernel reads A once for every tile along N, and B once for every tile along M. Repacking reads
/// and writes each once. What it saves must be worth two further launches: a quarter of a million accesses, chosen and not measured.
inline bool repacking_pays(GemmCall const& call, int tile_m, int tile_n) {
  double const m = double(call.m), n = double(call.n), depth = double(call.k) * double(call.batch);
  double const read_by_tiles = depth * (m * double(ceil_div(call.n, tile_n)) + n * double(ceil_div(call.m, tile_m)));
  double const moved_by_repacking = 2 * depth * (m + n);
  return read_by_tiles - moved_by_repacking > 1 << 18;
}
// [pays]

/// The tile of the scalar kernel. On NVIDIA the addresses of single elements leave no registers for a second block.
template <class Op, class BlkTile>
using ScalarTile = std::conditional_t<detail::is_nvidia<Op>, BlockTile<BlkTile::m, BlkTile::n, BlkTile::k, BlkTile::warps_m, BlkTile::warps_n>, BlkTile>;

/// Chooses the kernel with this instruction, as `--kernel` wants it or as serves best.
/// @tparam BlkTile  a BlockTile   @tparam TIn, TOut  stored types   @tparam BAlongN  with a kernel for B that lies along N (layout nn), too
template <class Op, class BlkTile, class TIn, class TOut, class TScale, bool BAlongN>
Choice choose(GemmCall const& call) {
  using enum Contiguous;
  constexpr int vec = 16 / int(sizeof(TIn));
  using Scalars = GemmConfig<Op, ScalarTile<Op, BlkTile>, TIn, unknown, unknown, 1>;
  using AlongK = GemmConfig<Op, BlkTile, TIn, k, k, vec>;
  // [choose]
  bool const free = call.kernel == "chosen";
  if (free || call.kernel == "vectors") {
    if (takes_vectors<AlongK>(call)) return {"vectors", launch_gemm<PaddedGemm<AlongK, TOut, TScale>, TIn, TIn, TOut, TScale>};
    if constexpr (BAlongN) {
      using BAlong = GemmConfig<Op, BlkTile, TIn, k, mn, vec>;
      if (takes_vectors<BAlong>(call)) return {"vectors", launch_gemm<PaddedGemm<BAlong, TOut, TScale>, TIn, TIn, TOut, TScale>};
    }
  }
  if (call.kernel == "repacked" || (free && repacking_pays(call, BlkTile::m, BlkTile::n))) {
    auto const copy_and_launch = [](GemmCall const& c) { launch_gemm<PaddedGemm<AlongK, TOut, TScale>, TIn, TIn, TOut, TScale>(repacked(c)); };
    if (takes_vectors<AlongK>(padded(call), true)) return {"repacked", copy_and_launch};
  }
  return {"scalars", launch_gemm<PaddedGemm<Scalars, TOut, TScale>, TIn, TIn, TOut, TScale>};
  // [choose]
}

/// The choice, if the target has the instruction.
template <class Op, class BlkTile, class TIn, class TOut, class TScale = float, bool BAlongN = false>
std::optional<Choice> choose_on(GemmCall const& call) {
  if constexpr (backend_has<Op>) {
    if (has_instruction<Op>(call.target)) return choose<Op, BlkTile, TIn, TOut, TScale, BAlongN>(call);
  }
  return {};
}

/// Is this a problem with these types?
template <DType In, DType Acc, DType Out>
bool has_types(GemmCall const& call) { return call.dtype == In && call.acc == Acc && call.out == Out; }

}  // namespace tilestep
