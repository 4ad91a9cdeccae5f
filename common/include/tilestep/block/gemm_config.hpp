#pragma once
// How a block computes its tile of C with one kind of instruction: the extents of the tile, which warp has which part
// of it, how the threads copy the operands into shared memory and how they read them back. A kernel takes all of it
// from a GemmConfig.

#include <tilestep/backend/target.hpp>  // banks
#include <tilestep/block/gemm.hpp>      // blockwise_gemm, what it takes

namespace tilestep {

/// The mode of an operand whose elements stand side by side in memory: K, or M of A and N of B; `unknown` is told by
/// strides at run time. The `Major` of wgmma, by CUTLASS's name, is the same without `unknown`.
enum class Contiguous { k, mn, unknown };

/// How a tile is arranged in shared memory: without gaps; with a gap of 16 bytes after each line; with chunks of 16
/// bytes exchanged within each line; as (K0,M,K1), chunks of 16 bytes along K with M between them and a gap of 16 bytes
/// after each M. With all but the first, the lanes of a load use all banks.
enum class Arrangement { packed, padded, swizzled, k0_m_k1 };

/// The tile of a block and the warps on it. @tparam M, N, K  of the tile   @tparam WarpsM, WarpsN  side by side
template <int M, int N, int K, int WarpsM, int WarpsN, int ResidentBlocks = 1>
struct BlockTile {
  static constexpr int m = M, n = N, k = K, warps_m = WarpsM, warps_n = WarpsN;
  static constexpr int resident_blocks = ResidentBlocks;  ///< that a multiprocessor should hold at once
};

// ---- Which instructions, in which order, by which warps ----

namespace detail {

/// Is it an instruction of NVIDIA's?
template <class Op>
inline constexpr bool is_nvidia = [] {
  for (TargetInfo const& target : targets) {
    if (has_instruction<Op>(target.name)) return target.vendor == Vendor::nvidia;
  }
  return false;
}();
template <class Op> inline constexpr bool is_fma = false;
template <class TC, class TA, class TB> inline constexpr bool is_fma<UniversalFMA<TC, TA, TB, TC>> = true;
template <class TC, class TA, class TB> inline constexpr bool is_nvidia<UniversalFMA<TC, TA, TB, TC>> = false;
template <class Op> inline constexpr int in_bits = 8 * int(sizeof(typename MmaTraits<Op>::ValA));
/// Can ldmatrix fill its fragments? It moves pairs of 16 bits, four to a row of a fragment; an f64 is wider.
template <class Op> inline constexpr bool takes_ldmatrix = is_nvidia<Op> && in_bits<Op> <= 32;
/// And from rows of the tile that are columns of the fragment? ldmatrix.trans exchanges elements of 16 bits.
template <class Op> inline constexpr bool takes_ldmatrix_trans = takes_ldmatrix<Op> && in_bits<Op> == 16;

/// Does each lane read its elements one by one where they lie along M or N? One of 32 bits is a register.
template <class Op> inline constexpr bool reads_words_across = takes_ldmatrix<Op> && in_bits<Op> == 32;

/// How many banks serve reads of 16 bytes: the fewest of all targets that have this instruction.
template <class Op>
constexpr int banks_of() {
  if constexpr (is_fma<Op>) return 32;
  else {
    int fewest = 64;
    for (TargetInfo const& target : targets) {
      int const banks = target.phases(false, 16).banks;
      if (has_instruction<Op>(target.name) && banks < fewest) fewest = banks;
    }
    return fewest;
  }
}

/// NVIDIA's lanes hold every fourth element of a row of f64. As below, lane t of the four takes neighbours instead, 16
/// bytes at least.
template <class Op>
TS_HOST_DEVICE constexpr auto k_order_of_f64() {
  constexpr int neighbours = Op::K >= 8 ? Op::K / 4 : 2;
  return Layout<Shape<_4, Int<neighbours>>, Stride<Int<neighbours>, _1>>{};
}

/// In AMD's instructions a lane holds a run of neighbours along K, and the next run belongs to another lane. The order
/// of K does not matter to a sum as long as A and B share it, so each lane takes enough runs for one access of 16
/// bytes, and the next lane takes the runs after them.
template <class Op>
TS_HOST_DEVICE constexpr auto k_order() {
  constexpr int groups = Op::lanes * Op::copies / (Op::copies * Op::blocks * Op::M);  // lanes that share a row
  // neighbours in a run
  constexpr int first = Op::copies > 1 ? Op::a_values : int(size<0>(get<1>(typename MmaTraits<Op>::ALayout{})));
  constexpr int pieces = Op::a_values / first;  // of a row in one instruction, each shared out among the lanes
  constexpr int runs = 128 / (first * in_bits<Op>);
  if constexpr (Op::copies > 1) return Int<Op::K>{};                     // each lane has the whole row
  else if constexpr (pieces > 1)
    return Layout<Shape<Int<first>, Int<groups>, Int<pieces>>, Stride<_1, Int<first * pieces>, Int<first>>>{};
  else return Layout<Shape<Int<first>, Int<groups>, Int<runs>>, Stride<_1, Int<first * runs>, Int<first>>>{};
}

template <class Op, class BlkTile>
TS_HOST_DEVICE constexpr auto block_mma() {
  // of one thread each where the atom is an FMA
  using Warps = Layout<Shape<Int<BlkTile::warps_m>, Int<BlkTile::warps_n>, _1>>;
  // one ldmatrix.x4 fills B of two
  if constexpr (takes_ldmatrix<Op>)
    return make_tiled_mma(MmaAtom<Op>{}, Warps{}, Tile<Underscore, Int<2 * Op::N * BlkTile::warps_n>, Underscore>{});
  else if constexpr (is_nvidia<Op>)
    return make_tiled_mma(MmaAtom<Op>{}, Warps{}, make_tile(_, _, k_order_of_f64<Op>()));
  else if constexpr (is_fma<Op>) return make_tiled_mma(MmaAtom<Op>{}, Warps{});
  else return make_tiled_mma(MmaAtom<Op>{}, Warps{}, make_tile(_, _, k_order<Op>()));
}

// ---- How operands move ----

/// A tile as it lies in global memory, without gaps. (MN,K)
template <Contiguous Along, int MN, int K>
using PackedTile = std::conditional_t<Along == Contiguous::mn, Layout<Shape<Int<MN>, Int<K>>, Stride<_1, Int<MN>>>,
                                      Layout<Shape<Int<MN>, Int<K>>, Stride<Int<K>, _1>>>;
// [shared_tile]
/// The same tile in the arrangement that is asked for. Swizzled, a chunk's place in its line is its number xor a number
/// of the line, so that eight lanes that read one chunk each of eight neighbouring lines use each of 32 banks once. Two
/// lines of 64 bytes lie side by side in the 128 bytes of all banks and share a number; each longer line has its own.
/// With 64 banks it is sixteen lanes, 256 bytes, and four lines of 64 bytes that share a number.
template <Arrangement Arranged, Contiguous Along, class T, int MN, int K, int Banks = 32>
  requires(Arranged != Arrangement::k0_m_k1 || Along == Contiguous::k)
TS_HOST_DEVICE constexpr auto shared_tile() {
  // elements, as powers of two
  constexpr int chunk = log2(16 / int(sizeof(T))), line = log2(Along == Contiguous::mn ? MN : K),
                all = log2(4 * Banks / int(sizeof(T)));
  using Packed = PackedTile<Along, MN, K>;
  using Padded =
      std::conditional_t<Along == Contiguous::mn, Layout<Shape<Int<MN>, Int<K>>, Stride<_1, Int<MN + (1 << chunk)>>>,
                         Layout<Shape<Int<MN>, Int<K>>, Stride<Int<K + (1 << chunk)>, _1>>>;
  using K0 = Int<(K >> chunk)>;
  using K1 = Int<1 << chunk>;
  constexpr int lines_in_banks = all > line ? all - line : 0;
  constexpr int bits = all - chunk - lines_in_banks;
  if constexpr (Arranged == Arrangement::swizzled)
    return composition(Swizzle<bits, chunk, line + lines_in_banks - chunk>{}, Packed{});
  else if constexpr (Arranged == Arrangement::padded) return Padded{};
  else if constexpr (Arranged == Arrangement::k0_m_k1)  // (MN,(K1,K0))
    return Layout<Shape<Int<MN>, Shape<K1, K0>>, Stride<K1, Stride<_1, Int<(MN + 1) * K1::value>>>>{};
  else return Packed{};
}
// [shared_tile]
/// An operand's tile in shared memory. NVIDIA's instructions with 4 or 8 f64 along K read it otherwise: four lanes have
/// the four chunks of 64 bytes of a line, the next four those of the next line. So every second line exchanges its
/// halves of 128 bytes, and eight lanes meet each of 32 banks. Elements of 32 bits along M or N are read one by one:
/// eight lanes read neighbours, each eight in another of four lines. So a line's number exchanges its pieces of 32
/// bytes. (MN,K)
template <class Op, Arrangement Arranged, Contiguous Along, int MN, int K, int Banks>
TS_HOST_DEVICE constexpr auto operand_tile() {
  using T = typename MmaTraits<Op>::ValA;
  constexpr bool by_half_lines = [] {
    if constexpr (is_nvidia<Op> && sizeof(T) == 8) return Op::K <= 8;
    else return false;
  }();
  if constexpr (by_half_lines && Arranged == Arrangement::swizzled && Along == Contiguous::k && K >= 16)
    return composition(Swizzle<1, 3, log2(K) - 3>{}, PackedTile<Along, MN, K>{});
  else if constexpr (reads_words_across<Op> && Arranged == Arrangement::swizzled && Along == Contiguous::mn && MN >= 32)
    return composition(Swizzle<2, 3, log2(MN) - 3>{}, PackedTile<Along, MN, K>{});
  else return shared_tile<Arranged, Along, T, MN, K, Banks>();
}
/// Which thread copies which vectors of a tile (MN,K): neighbouring threads along the contiguous mode, Vec elements
/// each, by this instruction.
template <Contiguous Along, int Vec, class T, int Threads, int MN, int K,
          class Instruction = ZeroFillCopy<Vec * 8 * int(sizeof(T))>>
TS_HOST_DEVICE constexpr auto tile_copy() {
  using Atom = CopyAtom<Instruction, T>;
  constexpr int extent = Along == Contiguous::mn ? MN : K,
                side_by_side = extent / Vec < Threads ? extent / Vec : Threads;
  if constexpr (Along == Contiguous::mn)
    return make_tiled_copy(Atom{}, Layout<Shape<Int<side_by_side>, Int<Threads / side_by_side>>>{},
                           Layout<Shape<Int<Vec>, _1>>{});
  else
    return make_tiled_copy(
        Atom{}, Layout<Shape<Int<Threads / side_by_side>, Int<side_by_side>>, Stride<Int<side_by_side>, _1>>{},
        Layout<Shape<_1, Int<Vec>>>{});
}

// [fragment_read]
/// How fragments are read: ldmatrix where the instruction's rows are rows of the tile, its .trans where they are
/// columns of 16-bit elements.
template <class Op, Contiguous Along>
using FragmentRead = std::conditional_t<takes_ldmatrix<Op> && Along != Contiguous::mn, SM75_U32x4_LDSM_N,
                                        std::conditional_t<takes_ldmatrix_trans<Op>, SM75_U16x8_LDSM_T,
                                                           AutoVectorizingCopyWithAssumedAlignment<128>>>;
// [fragment_read]

/// The layout with its stride of 1 known at compile time. @param layout (MN,K,L)
template <Contiguous Along, class Layout_>
TS_HOST_DEVICE auto with_contiguous(Layout_ const& layout) {
  auto const [first, second, batch] = layout.stride();
  if constexpr (Along == Contiguous::k) return make_layout(layout.shape(), make_stride(first, _1{}, batch));
  else if constexpr (Along == Contiguous::mn) return make_layout(layout.shape(), make_stride(_1{}, second, batch));
  else return layout;
}

}  // namespace detail

/// @tparam Op       a matrix instruction, or UniversalFMA<float> or <double>
/// @tparam BlkTile  a BlockTile
/// @tparam T        stored type of A and B; in shared memory they have the instruction's
/// @tparam AlongA, AlongB  the contiguous modes   @tparam Vec_  elements that a thread copies at once, along them
/// @tparam Arranged  the tiles in shared memory   @tparam Banks  that swizzled tiles are for
template <class Op, class BlkTile, class T, Contiguous AlongA, Contiguous AlongB, int Vec_,
          Arrangement Arranged = Arrangement::packed, int Banks = detail::banks_of<Op>()>
struct GemmConfig {
  using BlkM = Int<BlkTile::m>;
  using BlkN = Int<BlkTile::n>;
  using BlkK = Int<BlkTile::k>;
  using Instruction = Op;
  using Mma = decltype(detail::block_mma<Op, BlkTile>());
  using In = T;
  static constexpr int Vec = Vec_;
  static constexpr Contiguous along_a = AlongA, along_b = AlongB;
  static constexpr int threads = decltype(Mma::size())::value;
  static constexpr int resident_blocks = BlkTile::resident_blocks;

  // (BLK_M,BLK_K)
  using SmemA = decltype(detail::operand_tile<Op, Arranged, AlongA, BlkTile::m, BlkTile::k, Banks>());
  // (BLK_N,BLK_K)
  using SmemB = decltype(detail::operand_tile<Op, Arranged, AlongB, BlkTile::n, BlkTile::k, Banks>());
  using CopyA = decltype(detail::tile_copy<AlongA, Vec, T, threads, BlkTile::m, BlkTile::k>());
  using CopyB = decltype(detail::tile_copy<AlongB, Vec, T, threads, BlkTile::n, BlkTile::k>());
  using ReadA = detail::FragmentRead<Op, AlongA>;
  using ReadB = detail::FragmentRead<Op, AlongB>;

  /// @param layout of A (M,K,L)
  template <class Layout_>
  TS_HOST_DEVICE static auto layout_a(Layout_ const& layout) { return detail::with_contiguous<AlongA>(layout); }
  /// @param layout of B (N,K,L)
  template <class Layout_>
  TS_HOST_DEVICE static auto layout_b(Layout_ const& layout) { return detail::with_contiguous<AlongB>(layout); }
};

}  // namespace tilestep
