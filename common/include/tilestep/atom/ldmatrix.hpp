#pragma once
// ldmatrix: a warp reads 8 x 8 matrices of 16-bit elements from shared memory into fragments. Lanes 0-7 give the
// addresses of the first matrix's rows, lanes 8-15 of the second's, and so on; lane l then receives elements 2 (l % 4)
// and 2 (l % 4) + 1 of row l / 4 of each. With .trans rows and columns change places.

#include <tilestep/atom/copy_atom.hpp>        // CopyTraits
#include <tilestep/atom/matrix_fragment.hpp>  // from_registers
#include <tilestep/backend/ldmatrix.hpp>      // the instruction

namespace tilestep {

// Names are CuTe's: so many 32-bit registers, or 16-bit elements when transposed, for each lane.
struct SM75_U32x1_LDSM_N {};
struct SM75_U32x2_LDSM_N {};
struct SM75_U32x4_LDSM_N {};
struct SM75_U16x2_LDSM_T {};
struct SM75_U16x4_LDSM_T {};
struct SM75_U16x8_LDSM_T {};

namespace detail {
// [layouts]
/// Addresses: `Rows` lanes give one each, of 128 bits; the others' are not used.
template <int Rows>
using RowAddresses = Layout<Shape<Shape<Int<Rows>, Int<32 / Rows>>, _128>, Stride<Stride<_128, _0>, _1>>;

/// @tparam Matrices 1, 2 or 4
template <int Matrices, bool Transposed>
struct LdmatrixTraits {
  using ThrID = Layout<_32>;
  using SrcLayout = RowAddresses<8 * Matrices>;
  using DstLayout = std::conditional_t<
      Transposed,
      Layout<Shape<Shape<_4, _8>, Shape<_16, _2, Int<Matrices>>>, Stride<Stride<_256, _16>, Stride<_1, _128, _1024>>>,
      Layout<Shape<_32, Shape<_32, Int<Matrices>>>, Stride<_32, Stride<_1, _1024>>>>;
  using RefLayout = DstLayout;
  // [layouts]

  static constexpr int registers = Matrices;  ///< of 32 bits, that each lane receives

  /// One instruction of the warp. Elements of other sizes than 16 bits move in pieces of 16: four 32-bit elements are a
  /// row, too.
  /// @param row  this lane's, 16 bytes of shared memory at a multiple of 16 bytes
  /// @param received  `registers` of them
  /// @pre every lane of the warp takes part
  template <class T>
  TS_INLINE TS_HOST_DEVICE static void load(SharedPtr<T> row, std::uint32_t* received) {
    static_assert(sizeof(T) == 2 || !Transposed,
                  "ldmatrix transposes elements of 16 bits only: read others one by one");
    ldmatrix<Matrices, Transposed>(row, received);
  }

  /// One instruction of the warp, into a fragment.
  /// @param src (V) this lane's row
  /// @param dst (V) in registers: what this lane receives, as a TiledCopy's retile() arranges it
  template <class Src, class Dst>
  TS_INLINE TS_HOST_DEVICE static void call(Src const& src, Dst&& dst) {
    using T = typename remove_cvref_t<Dst>::value_type;
    constexpr int values = 4 / int(sizeof(T)) * Matrices;
    static_assert(std::is_same_v<memory_t<Src>, SharedMemory>,
                  "ldmatrix reads shared memory: copy the tile there first");
    static_assert(size_v<typename remove_cvref_t<Dst>::layout_type> == values,
                  "ldmatrix gives each lane 32 bits of each matrix: retile the fragment for this copy");
    std::uint32_t received[Matrices];
    load(src.data() + src.layout()(_0{}), received);
    from_registers<T, values>(received, dst, Int<0>{});
  }
};
}  // namespace detail

template <> struct CopyTraits<SM75_U32x1_LDSM_N> : detail::LdmatrixTraits<1, false> {};
template <> struct CopyTraits<SM75_U32x2_LDSM_N> : detail::LdmatrixTraits<2, false> {};
template <> struct CopyTraits<SM75_U32x4_LDSM_N> : detail::LdmatrixTraits<4, false> {};
template <> struct CopyTraits<SM75_U16x2_LDSM_T> : detail::LdmatrixTraits<1, true> {};
template <> struct CopyTraits<SM75_U16x4_LDSM_T> : detail::LdmatrixTraits<2, true> {};
template <> struct CopyTraits<SM75_U16x8_LDSM_T> : detail::LdmatrixTraits<4, true> {};

}  // namespace tilestep
