#pragma once
// Hopper's matrix instruction as an atom. It reads A and B in shared memory: a fragment of them is a tensor of
// descriptors, which name tiles of 64 or N rows and 32 bytes of K. C is in registers. The instruction runs
// asynchronously: backend/wgmma.hpp says what its threads may touch, and when.

#include <tilestep/atom/matrix_fragment.hpp>       // MatrixValue
#include <tilestep/atom/swizzled_tile.hpp>         // swizzled_tile, swizzle_of
#include <tilestep/backend/wgmma.hpp>              // wgmma, tile_descriptor
#include <tilestep/backend/wgmma_instruction.hpp>  // SM90_64xN_SS, TileDescriptor

namespace tilestep {

namespace detail {

/// C of m64nN, of any type: (t,g,warp),(2 neighbours along N, rows g and g + 8, 8 columns further).
/// @par Source PTX ISA, "Register Fragments and Shared Memory Matrix Layouts" of wgmma.mma_async.m64nNk16
template <int N>
using AccumulatorsM64 =
    Layout<Shape<Shape<_4, _8, _4>, Shape<_2, _2, Int<N / 8>>>, Stride<Stride<_128, _1, _16>, Stride<_64, _8, _512>>>;

/// A in registers, (64,K): (t,g,warp),(the k of one register, rows g and g + 8, 16 bytes further along K).
template <int K> struct RegistersM64 {
  using type = Layout<Shape<Shape<_4, _8, _4>, Shape<Int<K / 8>, _2, _2>>,
                      Stride<Stride<Int<8 * K>, _1, _16>, Stride<_64, _8, Int<32 * K>>>>;
};
template <> struct RegistersM64<8> {  // of 32 bits, one in a register
  using type = Layout<Shape<Shape<_4, _8, _4>, Shape<_2, _2>>, Stride<Stride<_64, _1, _16>, Stride<_8, _256>>>;
};

/// An operand in shared memory belongs to all threads alike.
template <int X, int K>
using SharedOperand = Layout<Shape<_128, Shape<Int<X>, Int<K>>>, Stride<_0, Stride<_1, Int<X>>>>;

// [descriptor]
/// What a descriptor says of the tile that one instruction reads, (X, 32 bytes). Cores are 8 x 16 bytes of it.
/// @tparam L  of the tile, without the swizzle   @tparam BYTES  of an element
template <Major MAJOR, TileSwizzle SWIZZLE, class L, int BYTES>
struct DescribedTile {
  static constexpr int bytes_to(int x, int k) { return BYTES * int(L{}(make_coord(x, k))); }
  static constexpr int run = row_bytes(SWIZZLE) / BYTES;  ///< elements side by side
  static constexpr bool is_exchanged = SWIZZLE == TileSwizzle::none && MAJOR == Major::mn;
  /// From one core to the next along K; where M or N is contiguous and swizzled, from one run to the next.
  static constexpr int leading_bytes = MAJOR == Major::mn && SWIZZLE != TileSwizzle::none ? bytes_to(run, 0)
                                       : MAJOR == Major::k                                ? bytes_to(0, 16 / BYTES)
                                                                                          : bytes_to(0, 8);
  /// From eight rows to the next eight: of M or N; where these are contiguous and swizzled, of K.
  static constexpr int stride_bytes = MAJOR == Major::k || is_exchanged ? bytes_to(8, 0) : bytes_to(0, 8);
};

/// Points to descriptors: a step is 16 bytes of shared memory.
struct DescriptorIterator {
  using value_type = TileDescriptor;
  TileDescriptor first;
  TS_HOST_DEVICE constexpr TileDescriptor operator*() const { return first; }
  TS_HOST_DEVICE constexpr DescriptorIterator operator+(int steps) const { return {first.steps_on(steps)}; }
  TS_HOST_DEVICE constexpr TileDescriptor operator[](int steps) const { return first.steps_on(steps); }
};

/// The descriptors of an operand's part in shared memory. The hardware applies the swizzle to addresses, so that a
/// descriptor begins where its tile does without it.
/// @param part (MMA,MMA_X,MMA_K,..), MMA = (X,K) of one instruction, of type T @return (1,MMA_X,MMA_K,..)
template <Major MAJOR, class T, class Part>
TS_INLINE TS_HOST_DEVICE constexpr auto descriptors_of(Part const& part) {
  using L = typename Part::layout_type;
  static_assert(std::is_same_v<memory_t<Part>, SharedMemory>,
                "wgmma reads this operand in shared memory: partition a tile there");
  static_assert(sizeof(typename Part::value_type) == sizeof(T),
                "wgmma reads operands of its own type: partition a tile of elements of that size");
  auto const plain = unswizzled(part.layout());
  using Described = DescribedTile<MAJOR, swizzle_of<T, L>, remove_cvref_t<decltype(get<0>(plain))>, int(sizeof(T))>;
  int start = 0;
  if constexpr (is_composed_layout_v<L>) start = int(part.layout().offset());
  auto const rest = upcast<16 / int(sizeof(T))>(take<1, -1>(plain));  // a descriptor counts 16 bytes
  return make_view(DescriptorIterator{tile_descriptor(part.data() + start, Described::leading_bytes,
                                                      Described::stride_bytes, swizzle_of<T, L>)},
                   make_layout(prepend(rest.shape(), _1{}), prepend(rest.stride(), _0{})));
}
// [descriptor]

template <class Op>
struct WgmmaTraits {
  using ValA = typename MatrixValue<Op::a>::type;
  using ValB = typename MatrixValue<Op::b>::type;
  using ValC = typename MatrixValue<Op::c>::type;
  using Shape_MNK = Shape<Int<Op::M>, Int<Op::N>, Int<Op::K>>;
  using ThrID = Layout<_128>;
  using BLayout = SharedOperand<Op::N, Op::K>;
  using CLayout = AccumulatorsM64<Op::N>;
};

}  // namespace detail

/// Is C what it was before, plus A B, or A B alone? By CuTe's names.
enum class ScaleOut { Zero = 0, One = 1 };

// [traits]
template <int N, DType TC, DType TA, DType TB, Major A, Major B, bool S>
struct MmaTraits<SM90_64xN_SS<N, TC, TA, TB, A, B, S>> : detail::WgmmaTraits<SM90_64xN_SS<N, TC, TA, TB, A, B, S>> {
  using ALayout = detail::SharedOperand<64, SM90_64xN_SS<N, TC, TA, TB, A, B, S>::K>;
  static constexpr Major major_a = A, major_b = B;

  ScaleOut accumulate_ = ScaleOut::One;
};
template <int N, DType TC, DType TA, DType TB, Major B, bool S>
struct MmaTraits<SM90_64xN_RS<N, TC, TA, TB, B, S>> : detail::WgmmaTraits<SM90_64xN_RS<N, TC, TA, TB, B, S>> {
  using ALayout = typename detail::RegistersM64<SM90_64xN_RS<N, TC, TA, TB, B, S>::K>::type;
};
// [traits]

/// As other atoms, with descriptors as the fragments of A and B. It has a state: whether it accumulates.
template <int N, DType TC, DType TA, DType TB, Major A, Major B, bool S>
struct MmaAtom<SM90_64xN_SS<N, TC, TA, TB, A, B, S>> : MmaTraits<SM90_64xN_SS<N, TC, TA, TB, A, B, S>> {
  using Operation = SM90_64xN_SS<N, TC, TA, TB, A, B, S>;

  /// Fragments of what partition_A and partition_B give.
  template <class Part>
  TS_INLINE TS_HOST_DEVICE static constexpr auto operand_A(Part const& part) {
    return detail::descriptors_of<A, typename MmaTraits<Operation>::ValA>(part);
  }
  template <class Part>
  TS_INLINE TS_HOST_DEVICE static constexpr auto operand_B(Part const& part) {
    return detail::descriptors_of<B, typename MmaTraits<Operation>::ValB>(part);
  }

  // [call]
  /// Issues c += a b, or c = a b, one instruction of the warpgroup.
  /// @param a (1), a descriptor   @param b (1), a descriptor   @param c (V) in registers, not to be touched until
  ///     wgmma_wait()
  template <class TensorA, class TensorB, class TensorC>
  TS_INLINE TS_HOST_DEVICE constexpr void call(TensorA const& a, TensorB const& b, TensorC&& c) const {
    static_assert(std::is_same_v<typename TensorA::value_type, TileDescriptor> &&
                      std::is_same_v<typename TensorB::value_type, TileDescriptor>,
                  "wgmma takes descriptors of A and B: make the fragments with partition_fragment_A and _B");
    using LayoutC = typename remove_cvref_t<TensorC>::layout_type;
    static_assert(size_v<LayoutC> == N / 2 && detail::side_by_side<LayoutC, 0, N / 2>,
                  "wgmma gives each thread N / 2 sums side by side: make C with partition_fragment_C");
    static_assert(std::is_same_v<typename remove_cvref_t<TensorC>::value_type, typename MmaTraits<Operation>::ValC>,
                  "wgmma has sums of its own type: make C with partition_fragment_C");
    auto* const sums = reinterpret_cast<typename Operation::CRegister*>(c.data().get());
    wgmma(Operation{}, *a.data(), *b.data(), sums, this->accumulate_ == ScaleOut::One);
  }
  // [call]
};

}  // namespace tilestep
