#pragma once
// Kernels to choose from: under which name, on which tile, launched by whom. A chapter offers those that compute a
// problem; a planner takes one.

#include <tilestep/block/schedule.hpp>        // TileOfBlock, TileSchedule
#include <tilestep/harness/gemm_chapter.hpp>  // GemmCall

#include <cstdint>  // std::int64_t
#include <string>   // names
#include <vector>   // of choices

namespace tilestep {

/// What is launched: a problem, which may be one that stands for another, and its schedule.
struct GemmJob {
  GemmCall call;
  TileSchedule schedule;
  bool transposed = false;  ///< it is C^T = B A^T: what belongs to a column of C belongs to a row here
};

/// A tile with its kernel: how it is launched, and whether on copies of the operands.
struct GemmChoice {
  std::string name;  ///< as --tile and the tables of measurements spell it; it contains no '='
  TileOfBlock tile;  ///< what the schedule counts: a block's tile, or that of a cluster of blocks
  std::int64_t shared_bytes;  ///< of a block
  void (*launch)(GemmJob const&);
  bool copies_a = false, copies_b = false;
};
using GemmChoices = std::vector<GemmChoice>;

/// The extents of a tile, such as 128x256x32.
inline std::string name_of(TileOfBlock const& tile) {
  return std::to_string(tile.m) + "x" + std::to_string(tile.n) + "x" + std::to_string(tile.k);
}

/// The choices of several sources after each other.
template <class... Others>
GemmChoices together(GemmChoices all, Others const&... others) {
  (all.insert(all.end(), others.begin(), others.end()), ...);
  return all;
}

}  // namespace tilestep
