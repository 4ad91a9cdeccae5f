#pragma once
// From a problem to a kernel: how its operands are best copied.

#include "kernel.hpp"  // PaddedGemm

#include <tilestep/harness/gemm_kinds.hpp>  // kinds, choice_of
#include <tilestep/harness/padded.hpp>      // padded

namespace tilestep::padding {

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

/// The kernel of this kind, as `--kernel` wants it or as serves best. On NVIDIA the scalar kernel has a multiprocessor
/// to itself: the addresses of single elements leave no registers for a second block.
template <class Kind>
GemmChoices kernels_of(GemmCall const& call) {
  using enum Contiguous;
  using Tile = typename Kind::BlkTile;
  using AlongK = VectorsOf<Kind, k, k>;
  using ScalarKind = OneBlockOnNvidia<Kind>;
  return choices_of_kind<Kind>(call, [&](auto) {
    // [choose]
    bool const free = call.kernel == "chosen";
    if (free || call.kernel == "vectors") {
      if (takes_vectors<AlongK>(call)) return choice_of<Kind, PaddedGemm, AlongK>("vectors");
      if constexpr (Kind::widens) {  // f16: B along N, too
        using BAlongN = VectorsOf<Kind, k, mn>;
        if (takes_vectors<BAlongN>(call)) return choice_of<Kind, PaddedGemm, BAlongN>("vectors");
      }
    }
    if (call.kernel == "repacked" || (free && repacking_pays(call, Tile::m, Tile::n))) {
      if (takes_vectors<AlongK>(padded(call), true)) {
        GemmChoice repacked = choice_of<Kind, PaddedGemm, AlongK>("repacked");
        repacked.copies_a = repacked.copies_b = true;
        return repacked;
      }
    }
    return choice_of<ScalarKind, PaddedGemm, ScalarsOf<ScalarKind>>("scalars");
    // [choose]
  });
}

}  // namespace tilestep::padding
