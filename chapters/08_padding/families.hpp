#pragma once
// From a problem to a kernel: which instruction the target has for its types, and how its operands are best copied.
// Each source holds a few kernels of one family of targets, so that no compiler has to read all of them at once.

#include "kernel.hpp"  // PaddedGemm

#include <tilestep/harness/gemm_kinds.hpp>  // the families, launch_kind
#include <tilestep/harness/padded.hpp>      // padded

#include <optional>  // a target may have none
#include <string>    // a kernel's name

namespace tilestep {

/// What a problem will run on.
struct Choice {
  std::string kernel;  ///< scalars, vectors or repacked
  void (*launch)(GemmCall const&);
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

/// Launches the copies of A and B into padded buffers. @return padded(call) on these buffers
GemmCall launch_repack(GemmCall const& call);

// [pays]
/// Is it worth repacking? Element by element, the kernel reads A once for every tile along N, and B once for every tile
/// along M. Repacking reads and writes each once. What it saves must be worth two further launches: a quarter of a
/// million accesses, chosen and not measured.
inline bool repacking_pays(GemmCall const& call, int tile_m, int tile_n) {
  double const m = double(call.m), n = double(call.n), depth = double(call.k) * double(call.batch);
  double const read_by_tiles = depth * (m * double(ceil_div(call.n, tile_n)) + n * double(ceil_div(call.m, tile_m)));
  double const moved_by_repacking = 2 * depth * (m + n);
  return read_by_tiles - moved_by_repacking > 1 << 18;
}
// [pays]

/// For the scalar kernel: on NVIDIA the addresses of single elements leave no registers for a second block.
template <class Kind>
using ScalarKind = std::conditional_t<detail::is_nvidia<typename Kind::Instruction>, OneBlock<Kind>, Kind>;

/// Chooses the kernel of this kind, as `--kernel` wants it or as serves best.
template <class Kind>
Choice choose(GemmCall const& call) {
  using enum Contiguous;
  using Tile = typename Kind::BlkTile;
  using Scalars = ScalarsOf<ScalarKind<Kind>>;
  using AlongK = VectorsOf<Kind, k, k>;
  // [choose]
  bool const free = call.kernel == "chosen";
  if (free || call.kernel == "vectors") {
    if (takes_vectors<AlongK>(call)) return {"vectors", launch_kind<Kind, PaddedGemm, AlongK>};
    if constexpr (Kind::widens) {  // f16 and bf16 to f32: B along N, too
      using BAlongN = VectorsOf<Kind, k, mn>;
      if (takes_vectors<BAlongN>(call)) return {"vectors", launch_kind<Kind, PaddedGemm, BAlongN>};
    }
  }
  if (call.kernel == "repacked" || (free && repacking_pays(call, Tile::m, Tile::n))) {
    auto const copy_and_launch = [](GemmCall const& c) { launch_kind<Kind, PaddedGemm, AlongK>(launch_repack(c)); };
    if (takes_vectors<AlongK>(padded(call), true)) return {"repacked", copy_and_launch};
  }
  return {"scalars", launch_kind<Kind, PaddedGemm, Scalars>};
  // [choose]
}

}  // namespace tilestep
