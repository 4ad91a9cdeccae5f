#pragma once
// A thread's vectors of a tile, loaded into registers and stored to shared memory. For kernels that evaluate their
// predicates once, before the loop along K, and whose tiles have another order in shared memory than in the matrix.
// TileLoader of pipeline.hpp evaluates predicates for each tile.

#include <tilestep/backend/reload.hpp>  // reload_or_zero
#include <tilestep/block/copy.hpp>      // read_vector, write_vector

namespace tilestep {

/// One thread's vectors of an operand, one tile along K after the other. It keeps the address of the first from tile to
/// tile; the others lie at steps that the compiler knows along one mode, and at one step along the other.
/// @tparam Copy  a TiledCopy by vectors   @tparam Part (CPY,CPY_MN,CPY_K), of a tile in global memory
template <class Copy, class Part>
struct CarriedTile;
template <class Operation, class T, class TV, class Tiler, class Part>
struct CarriedTile<TiledCopy<CopyAtom<Operation, T>, TV, Tiler>, Part> {
  static constexpr int bits = detail::access_bits<Operation>, vec = bits / int(sizeof_bits_v<T>),
                       vectors = decltype(size(std::declval<Part>()))::value / vec;
  using Layout_ = typename Part::layout_type;
  /// The mode along which vectors lie at a step that is known at run time.
  static constexpr int walked = is_static_v<decltype(stride<1>(std::declval<Layout_>()))> ? 2 : 1;
  static constexpr int lines = decltype(size<walked>(std::declval<Layout_>()))::value, in_line = vectors / lines;
  using Apart = decltype(stride<3 - walked>(std::declval<Layout_>()));  ///< the step along the other mode
  using Ptr = remove_cvref_t<decltype(std::declval<Part>().data())>;
  Ptr first;  ///< where the first lies
  std::int64_t line;  ///< from a vector to its neighbour along the mode that is walked
  T held[vectors][vec];

  /// Loads the first tile. @param pred  which vectors exist; zeros stand for the others   @param src (CPY,CPY_MN,CPY_K)
  template <class Pred>
  TS_INLINE TS_DEVICE void fetch(Pred const& pred, Part const& src) {
    auto const s = group_modes<1, Part::rank>(make_view(src.data(), src.layout()));                 // (CPY,rest)
    first = src.data();
    line = std::int64_t(stride<walked>(src.layout()));
    unroll<vectors>([&](auto r) TS_INLINE_LAMBDA {
      detail::read_vector<ZeroFillCopy<bits>, vec>(s, make_coord(_0{}, r), held[r],
                                                   detail::predicate(pred, r * Int<vec>{}));
    });
  }

  /// Loads another tile. @param step  from the tile before to this one
  /// @pre vectors that do not exist did not exist in the tile before: what is held for them, zeros, stays
  template <class Pred>
  TS_INLINE TS_DEVICE void fetch_next(Pred const& pred, std::int64_t step) {
    first = first + step;
    Ptr at = first;
    unroll<lines>([&](auto i) TS_INLINE_LAMBDA {
      unroll<in_line>([&](auto j) TS_INLINE_LAMBDA {
        auto const r = i * Int<walked == 2 ? in_line : 1>{} + j * Int<walked == 2 ? 1 : lines>{};
        reload_or_zero<vec>(at + int(j * Apart{}), held[r], bool(detail::predicate(pred, r * Int<vec>{})));
      });
      at = at + line;
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
