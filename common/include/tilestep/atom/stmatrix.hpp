#pragma once
// stmatrix: a warp writes fragments to rows of shared memory, ldmatrix backwards. Lane l gives elements 2 (l % 4) and 2
// (l % 4) + 1 of row l / 4 of each matrix; lanes 0-7 give the addresses of the first matrix's rows, and so on. With
// .trans rows and columns change places.

#include <tilestep/atom/ldmatrix.hpp>     // LdmatrixTraits: the same layouts
#include <tilestep/backend/stmatrix.hpp>  // the instruction

namespace tilestep {

// Names are CuTe's.
struct SM90_U32x1_STSM_N {};
struct SM90_U32x2_STSM_N {};
struct SM90_U32x4_STSM_N {};
struct SM90_U16x2_STSM_T {};
struct SM90_U16x4_STSM_T {};
struct SM90_U16x8_STSM_T {};

namespace detail {
/// @tparam Matrices 1, 2 or 4
template <int Matrices, bool Transposed>
struct StmatrixTraits {
  using ThrID = Layout<_32>;
  using SrcLayout = typename LdmatrixTraits<Matrices, Transposed>::DstLayout;
  using DstLayout = typename LdmatrixTraits<Matrices, Transposed>::SrcLayout;
  using RefLayout = SrcLayout;

  static constexpr int registers_given = Matrices;  ///< registers of 32 bits, by each lane

  /// One instruction of the warp. @param row  this lane's   @param registers  as many
  template <class T>
  TS_INLINE TS_HOST_DEVICE static void store(SharedPtr<T> row, std::uint32_t const* registers) {
    stmatrix<Matrices, Transposed>(row, registers);
  }

  /// One instruction of the warp, of a fragment.
  /// @param src (V) in registers, as a TiledCopy's retile() arranges it
  /// @param dst (V) this lane's row in shared memory
  template <class Src, class Dst>
  TS_INLINE TS_DEVICE static void call(Src const& src, Dst&& dst) {
    using T = typename remove_cvref_t<Src>::value_type;
    static_assert(sizeof(T) == 2, "stmatrix writes elements of 16 bits: convert the fragment first");
    static_assert(std::is_same_v<memory_t<remove_cvref_t<Dst>>, SharedMemory>,
                  "stmatrix writes shared memory: store elsewhere with UniversalCopy");
    std::uint32_t given[Matrices];
    to_registers<T>(src, given);
    stmatrix<Matrices, Transposed>(dst.data() + dst.layout()(_0{}), given);
  }
};
}  // namespace detail

template <> struct CopyTraits<SM90_U32x1_STSM_N> : detail::StmatrixTraits<1, false> {};
template <> struct CopyTraits<SM90_U32x2_STSM_N> : detail::StmatrixTraits<2, false> {};
template <> struct CopyTraits<SM90_U32x4_STSM_N> : detail::StmatrixTraits<4, false> {};
template <> struct CopyTraits<SM90_U16x2_STSM_T> : detail::StmatrixTraits<1, true> {};
template <> struct CopyTraits<SM90_U16x4_STSM_T> : detail::StmatrixTraits<2, true> {};
template <> struct CopyTraits<SM90_U16x8_STSM_T> : detail::StmatrixTraits<4, true> {};

}  // namespace tilestep
