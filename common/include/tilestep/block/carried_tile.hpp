#pragma once
// A thread's vectors of a tile, loaded into registers and stored to shared memory. For kernels that evaluate their
// predicates once, before the loop along K, and whose tiles have another order in shared memory than in the matrix.
// TileLoader of pipeline.hpp evaluates predicates for each tile.

#include <tilestep/backend/reload.hpp>  // reload_or_zero
#include <tilestep/block/copy.hpp>      // read_vector, write_vector

namespace tilestep {

/// One thread's vectors of an operand, one tile along K after the other. It keeps their addresses from tile to tile.
/// @tparam Copy  a TiledCopy by vectors   @tparam Part (CPY,CPY_MN,CPY_K), of a tile in global memory
template <class Copy, class Part>
struct CarriedTile;
template <class Operation, class T, class TV, class Tiler, class Part>
struct CarriedTile<TiledCopy<CopyAtom<Operation, T>, TV, Tiler>, Part> {
  static constexpr int bits = detail::access_bits<Operation>, vec = bits / int(sizeof_bits_v<T>),
                       vectors = decltype(size(std::declval<Part>()))::value / vec;
  using Ptr = remove_cvref_t<decltype(std::declval<Part>().data())>;
  Ptr from[vectors];  ///< where they lie
  T held[vectors][vec];

  /// Loads the first tile. @param pred  which vectors exist; zeros stand for the others   @param src (CPY,CPY_MN,CPY_K)
  template <class Pred>
  TS_INLINE TS_DEVICE void fetch(Pred const& pred, Part const& src) {
    auto const s = group_modes<1, Part::rank>(make_view(src.data(), src.layout()));                 // (CPY,rest)
    unroll<vectors>([&](auto r) TS_INLINE_LAMBDA {
      auto const c = make_coord(_0{}, r);
      from[r] = s.data() + s.layout()(c);
      detail::read_vector<ZeroFillCopy<bits>, vec>(s, c, held[r], detail::predicate(pred, r * Int<vec>{}));
    });
  }

  /// Loads another tile. @param step  from the tile before to this one
  /// @pre vectors that do not exist did not exist in the tile before: what is held for them, zeros, stays
  template <class Pred>
  TS_INLINE TS_DEVICE void fetch_next(Pred const& pred, std::int64_t step) {
    unroll<vectors>([&](auto r) TS_INLINE_LAMBDA {
      from[r] = from[r] + step;
      reload_or_zero<vec>(from[r], held[r], bool(detail::predicate(pred, r * Int<vec>{})));
    });
  }

  /// Stores the tile: vectors, or where `dst` does not keep their elements together, one element after the other.
  /// @param dst (CPY,CPY_MN,CPY_K) in shared memory
  template <class Dst>
  TS_INLINE TS_DEVICE void land(Dst const& dst) const {
    auto const d = group_modes<1, Dst::rank>(make_view(dst.data(), dst.layout()));                  // (CPY,rest)
    constexpr int together = detail::is_vector<decltype(d.layout()), vec> ? vec : 1;
    unroll<vectors>([&](auto r) TS_INLINE_LAMBDA {
      unroll<vec / together>([&](auto v) TS_INLINE_LAMBDA {
        detail::write_vector<together>(d, make_coord(v * Int<together>{}, r), held[r] + v * together,
                                       true);
      });
    });
  }
};
template <class Copy, class Part>
TS_HOST_DEVICE auto carried_tile(Copy const&, Part const&) { return CarriedTile<Copy, Part>{}; }

}  // namespace tilestep
