#pragma once
// The copies of `Repack`, made by one kernel for A and B and read in aligned words of 16 bytes, wherever rows start. 16
// bytes that begin anywhere lie in two neighbouring words: a thread reads both and shifts its part out of them.
// Neighbouring threads share a word, which the second of them finds in L1.

#include <tilestep/atom/unaligned_run.hpp>  // UnalignedRun
#include <tilestep/backend/cluster.hpp>     // begin_among_kernels
#include <tilestep/backend/math.hpp>        // min, max
#include <tilestep/backend/mbarrier.hpp>    // backend_has_hopper
#include <tilestep/block/repack.hpp>        // RepackParams, copies of tiles

namespace tilestep {

/// Which operands are copied: A, B or both; one that is not has no elements.
template <class T, class Layout_>
struct RepackWordsParams {
  RepackParams<T, Layout_> operands[2];
  alignas(4) bool early;  ///< the next kernel may begin while these copies are made
};

/// Both copies, tile by tile of 64 x 64: first those of A, then those of B.
/// @tparam T  any type of 1, 2, 4 or 8 bytes: nothing is computed
template <class T, class Layout_>
struct RepackWords {
  using Params = RepackWordsParams<T, Layout_>;
  using Run = UnalignedRun<T>;
  static constexpr char const* name = "RepackWords";
  static constexpr char const* only_on = "sm90";
  static constexpr bool overlaps = true;
  // Two runs of each thread are four words in flight.
  static constexpr int blk = 64, vec = Run::vec, runs = 2, threads = blk * blk / vec / runs;
  using Blk = Int<blk>;
  using Write = decltype(detail::tile_copy<Contiguous::k, vec, T, threads, blk, blk>());
  // Eight runs along MN, one below the other, are written to different banks, and so are eight along K.
  using SmemTile =
      decltype(composition(Swizzle<3, detail::log2(vec), 6>{}, Layout<Shape<Blk, Blk>, Stride<Blk, _1>>{}));

  struct Shared {
    SharedArray<T, blk * blk> tile;
  };

  /// Tiles of an operand: (MN,K,L).
  TS_HOST_DEVICE static auto grid(RepackParams<T, Layout_> const& p) {
    auto const [MN, K, L] = p.layout_to.shape();
    return make_shape(int(ceil_div(MN, Blk{})), int(ceil_div(K, Blk{})), int(L));
  }

  TS_DEVICE void operator()(Shared& memory, Params const& both) const {
    if constexpr (backend_has_hopper) {
      // others have written what is read here, and read what was here before
      if (both.early) begin_among_kernels();
      else begin_after_kernels();
      int const tiles_a = size(grid(both.operands[0]));
      int const block = int(block_index());
      bool const is_b = block >= tiles_a;
      auto const& p = both.operands[is_b];
      auto const [tile_mn, tile_k, l] = idx2crd(block - (is_b ? tiles_a : 0), grid(p));
      auto const mTo = make_tensor(global(p.to), detail::with_contiguous<Contiguous::k>(p.layout_to));  // (MN,K,L)
      auto const gTo = local_tile(mTo(_, _, l), Tile<Blk, Blk>{}, make_coord(tile_mn, tile_k));         // (BLK,BLK)
      auto const sTile = make_tensor(shared(memory.tile, "tile"), SmemTile{});                          // (BLK,BLK)
      bool const along_k = stride<1>(p.layout_from) == 1;

      // [repack]
      // Neighbouring threads read neighbouring runs of a line. All reads come before the first write.
      std::int64_t const first_mn = tile_mn * std::int64_t{blk}, first_k = tile_k * std::int64_t{blk},
                         first = p.layout_from(make_coord(first_mn, first_k, std::int64_t{l})),
                         end = cosize(p.layout_from);
      int const left_mn = int(min(size<0>(p.layout_from) - first_mn, std::int64_t{blk})),
                left_k = int(min(size<1>(p.layout_from) - first_k, std::int64_t{blk}));
      int const left_along = along_k ? left_k : left_mn, lines = along_k ? left_mn : left_k;
      std::int64_t const next_line = along_k ? stride<0>(p.layout_from) : stride<1>(p.layout_from);
      auto const line = [](int i) { return (thread_index() + i * threads) / (blk / vec); };
      auto const along = [](int i) { return (thread_index() + i * threads) % (blk / vec) * vec; };
      Run run[runs];
      unroll<runs>([&](auto i) TS_INLINE_LAMBDA {
        int const wanted = line(i) < lines ? min(max(left_along - along(i), 0), int{vec}) : 0;
        run[i].read(p.from, end, first + line(i) * next_line + along(i), wanted);
      });
      unroll<runs>([&](auto i) TS_INLINE_LAMBDA {
        T elements[vec];
        run[i].shift();
        __builtin_memcpy(elements, run[i].bits, 16);
        if (along_k) store_if<vec>(gTo.data() + gTo.layout()(make_coord(line(i), along(i))), elements, true);
        else unroll<vec>([&](auto j) TS_INLINE_LAMBDA { sTile(along(i) + j, line(i)) = elements[j]; });
      });
      if (along_k) return;
      sync_threads();  // all threads wrote the tile before any reads it
      blockwise_copy(Write{}, thread_index(), sTile, gTo);
      // [repack]
    }
  }
};

}  // namespace tilestep
