#pragma once
// Kernels to choose from: under which name, on which tile, launched by whom. A chapter offers those that compute a
// problem; it takes the first, or has a planner take one.

#include <tilestep/backend/error.hpp>         // not_here
#include <tilestep/block/schedule.hpp>        // TileOfBlock, TileSchedule
#include <tilestep/harness/gemm_chapter.hpp>  // GemmCall
#include <tilestep/harness/gemm_schedule.hpp>  // machine_for
#include <tilestep/harness/repack.hpp>        // repack

#include <cstdint>  // std::int64_t
#include <string>   // names
#include <vector>   // of choices

namespace tilestep {

/// What is launched: a problem, which may be one that stands for another, and its schedule.
struct GemmJob {
  GemmCall call;
  TileSchedule schedule = {};
  bool transposed = false;  ///< it is C^T = B A^T: what belongs to a column of C belongs to a row here
  bool copied_a = false, copied_b = false;  ///< operands are repack()'s copies, with zeros up to whole tiles of 64
};

/// A tile with its kernel: how it is launched, and whether on copies of the operands.
struct GemmChoice {
  std::string name;  ///< as --tile and the tables of measurements spell it; it contains no '='
  TileOfBlock tile;  ///< what the schedule counts: a block's tile, or that of a cluster of blocks
  std::int64_t shared_bytes;  ///< of a block
  void (*launch)(GemmJob const&);
  bool copies_a = false, copies_b = false;
  int at_once = 0;  ///< such tiles in work at the same time on the call's machine; 0: not known
  int row_a = 0, row_b = 0;  ///< bytes side by side that TMA fetches of A along M, of B along N; 0: not by TMA
  int ahead = 1;  ///< tiles along K that are on their way while one is multiplied
  bool needless_copies = false;  ///< the same kernel could read what is copied
  bool by_elements = false;  ///< operands are read element by element: rows start at no multiples of 16 bytes
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

/// The choices of several kinds after each other. A template, so that a part of KERNELS compiles its own kernels alone.
template <class... Kinds>
struct Together {
  static GemmChoices choices(GemmCall const& call) { return together(Kinds::choices(call)...); }
};

/// The kernels of this program that compute a problem. CMake writes the function: it asks every name of KERNELS in the
/// chapter's CMakeLists.txt that the program was linked with, in that order.
GemmChoices kernels_for(GemmCall const& call);

/// Those whose blocks find room on the machine, with as many of them resident on a compute unit as its shared memory
/// has room for, at most.
/// @par Errors  not_here: none does
GemmChoices fitting(GemmChoices const& choices, Machine const& machine);

/// The first kernel that computes a problem on its machine.
/// @par Errors  not_here: there is none for the types on the target, or none fits
inline GemmChoice first_kernel_for(GemmCall const& call) {
  GemmChoices const found = kernels_for(call);
  if (found.empty()) not_here("no kernel for these types on " + call.target);
  return fitting(found, machine_for(call)).front();
}

/// Launches copies of the operands that need one. @return the job on them
inline GemmJob on_copies(GemmChoice const& choice, GemmJob job) {
  job.call = repack(job.call, choice.copies_a, choice.copies_b);
  job.copied_a = choice.copies_a;
  job.copied_b = choice.copies_b;
  return job;
}
/// Launches them, and the kernel.
inline void launch_choice(GemmChoice const& choice, GemmJob const& job) { choice.launch(on_copies(choice, job)); }

/// Launches the first kernel that computes the problem.
/// @par Errors  not_here: there is none
inline void run_first_kernel(GemmCall const& call) { launch_choice(first_kernel_for(call), {call}); }

}  // namespace tilestep
