#pragma once
// The tiles of an operand of any extent, along M or N, as TMA copies them: those of its last tile end with the operand.
// harness/tma_matrix.hpp makes them.

#include <tilestep/atom/tma.hpp>             // TmaCopy
#include <tilestep/backend/kernel.hpp>       // thread_index
#include <tilestep/backend/pointer.hpp>      // SharedPtr, store

namespace tilestep {

// [last]
/// The copies of an operand's tiles, along M or N. TMA takes time for what lies outside of a matrix, most for rows of a
/// box that end there. So the copies of the last tile end with the operand: with fewer lines in a box where it lies
/// along K, else with fewer boxes. The last of these reads on into the next row of the matrix, while there is one that
/// begins where this one ends.
template <class Tma>
struct OperandTiles {
  static constexpr int part = Tma::X / Tma::shares,           ///< lines of a tile that a block copies
      box = Tma::along_y ? part : Tma::run;                   ///< lines of a box

  Tma whole, last;
  int last_tile;     ///< its number; a cluster may have others behind it
  int last_lines;    ///< rows of A, or columns of B, that its boxes have
  int fewest_lines;  ///< those of the tile with the fewest
  int last_until;    ///< tiles along K from here on take `whole` in the last tile, too

  [[nodiscard]] TS_DEVICE TS_INLINE int lines_of(int tile) const {
    return tile < last_tile ? Tma::X : tile == last_tile ? last_lines : 0;
  }
  /// Zeros in the lines of every stage that no box reaches: wgmma reads them, and nobody stores what comes of it.
  /// All threads, before the ring's first copy.
  template <int STAGES>
  TS_DEVICE TS_INLINE void clear_the_rest(SharedPtr<typename Tma::T> stages, int threads) const {
    constexpr int vec = 16 / int(sizeof(typename Tma::T));
    typename Tma::T const zeros[vec]{};
    if (fewest_lines == Tma::X) return;
    for (int stage = 0; stage < STAGES; ++stage)
      for (int i = fewest_lines * Tma::Y + thread_index() * vec; i < Tma::X * Tma::Y; i += threads * vec)
        store<vec>(stages + (stage * Tma::X * Tma::Y + i), zeros);
    fence_proxy_async();
  }
};
// [last]

}  // namespace tilestep
