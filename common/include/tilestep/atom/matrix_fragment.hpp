#pragma once
// From the elements of a fragment to the registers of a matrix instruction. Elements of 16 bits and fewer share
// registers, the first in the lowest bits; an f64 has one of 64 bits. Where the elements of a register stand side by
// side in the fragment the register is taken as it is; nothing is moved. Elements of less than a byte are packed.

#include <tilestep/atom/float8.hpp>       // float_e4m3_t, float_e5m2_t
#include <tilestep/atom/mma_atom.hpp>     // MmaTraits
#include <tilestep/atom/subbyte.hpp>      // int4b_t, uint4b_t, uint1b_t
#include <tilestep/atom/tfloat32.hpp>     // tfloat32_t
#include <tilestep/backend/matrix.hpp>    // matrix_multiply_add

namespace tilestep {

namespace detail {

/// The element type as a reader writes it.
template <DType> struct MatrixValue;
template <> struct MatrixValue<DType::f32> { using type = float; };
template <> struct MatrixValue<DType::tf32> { using type = tfloat32_t; };
template <> struct MatrixValue<DType::f16> { using type = half_t; };
template <> struct MatrixValue<DType::bf16> { using type = bfloat16_t; };
template <> struct MatrixValue<DType::i32> { using type = std::int32_t; };
template <> struct MatrixValue<DType::i8> { using type = std::int8_t; };
template <> struct MatrixValue<DType::u8> { using type = std::uint8_t; };
template <> struct MatrixValue<DType::e4m3> { using type = float_e4m3_t; };
template <> struct MatrixValue<DType::e5m2> { using type = float_e5m2_t; };
template <> struct MatrixValue<DType::f64> { using type = double; };
template <> struct MatrixValue<DType::i4> { using type = int4b_t; };
template <> struct MatrixValue<DType::u4> { using type = uint4b_t; };
template <> struct MatrixValue<DType::u1> { using type = uint1b_t; };

/// Do elements First .. First + Count - 1 of this static layout stand side by side?
template <class L, int First, int Count>
inline constexpr bool side_by_side = [] {
  for (int i = 1; i < Count; ++i) {
    if (int(L{}(First + i)) != int(L{}(First)) + i) return false;
  }
  return true;
}();
template <class L, class First, int Count>
inline constexpr bool in_one_piece = false;  // First is a number: there is no saying
template <class L, auto First, int Count>
inline constexpr bool in_one_piece<L, C<First>, Count> = side_by_side<L, First, Count>;

/// Bits of an element in a register.
template <class T> inline constexpr int packed_bits = 8 * int(sizeof(T));
template <int Bits, bool Signed> inline constexpr int packed_bits<integer_subbyte<Bits, Signed>> = Bits;

/// One register of elements of less than a byte.
template <class T, int Count>
TS_INLINE TS_HOST_DEVICE constexpr std::uint32_t packed(T const (&elements)[Count]) {
  use(elements, "a matrix instruction");
  std::uint32_t bits = 0;
  unroll<Count>([&](auto i) { bits |= std::uint32_t(elements[i].bits) << (i * packed_bits<T>); });
  return bits;
}

/// @param fragment of T in registers, any modes
/// @param registers  as many as hold its elements, in their order
template <class T, class TensorT, class Register>
TS_INLINE TS_HOST_DEVICE constexpr void to_registers(TensorT const& fragment, Register* registers) {
  static_assert(std::is_same_v<typename TensorT::value_type, T>,
                "a matrix instruction takes fragments of its own types: convert the elements when they are read");
  static_assert(std::is_same_v<memory_t<TensorT>, RegisterMemory>,
                "a matrix instruction takes fragments in registers: copy the operand into one first");
  using L = typename TensorT::layout_type;
  constexpr int in_register = 8 * int(sizeof(Register)) / packed_bits<T>;
  for_each_step(Int<int(size_v<L>) / in_register>{}, [&](auto r) {
    auto const first = r * Int<in_register>{};
    if constexpr (packed_bits<T> < 8) {
      T elements[in_register];
      unroll<in_register>([&](auto i) { elements[i] = fragment.data()[int(L{}(int(first) + i))]; });
      registers[r] = packed(elements);
    } else if constexpr (in_one_piece<L, remove_cvref_t<decltype(first)>, in_register>) {
      __builtin_memcpy(&registers[r], &fragment.data()[int(L{}(int(first)))], sizeof(Register));
    } else {
      T elements[in_register];
      unroll<in_register>([&](auto i) { elements[i] = fragment.data()[int(L{}(int(first) + i))]; });
      __builtin_memcpy(&registers[r], elements, sizeof(Register));
    }
  });
}

/// The way back, to Count elements of the fragment from `begin` on.
template <class T, int Count, class Register, class TensorT, class Begin>
TS_INLINE TS_HOST_DEVICE constexpr void from_registers(Register const* registers, TensorT&& fragment,
                                                       Begin const& begin) {
  using L = typename remove_cvref_t<TensorT>::layout_type;
  constexpr int in_register = int(sizeof(Register) / sizeof(T));
  for_each_step(Int<Count / in_register>{}, [&](auto r) {
    auto const first = begin + r * Int<in_register>{};
    if constexpr (in_one_piece<L, remove_cvref_t<decltype(first)>, in_register>) {
      __builtin_memcpy(&fragment.data()[int(L{}(int(first)))], &registers[r], sizeof(Register));
    } else {
      T elements[in_register];
      __builtin_memcpy(elements, &registers[r], sizeof(Register));
      unroll<in_register>([&](auto i) { fragment.data()[int(L{}(int(first) + i))] = elements[i]; });
    }
  });
}

/// Step i of row m: N runs forwards in even rows and backwards in odd ones.
template <class Row, class Index, class N>
TS_HOST_DEVICE constexpr auto serpentine(Row m, Index i, N const& n) {
  if constexpr (is_static_v<Row> && is_static_v<Index>)
    return Int<(Row::value % 2 == 0 ? Index::value : N::value - 1 - Index::value)>{};
  else return m % 2 == 0 ? i + 0 : n - 1 - i;
}

/// Which instruction of a tile of M x N x K runs as number `step`: all of one k, row by row of M in serpentine order:
/// each shares A or B with the one before.
template <int M, int N> struct TileStep {
  int m, n, k;
  TS_HOST_DEVICE constexpr explicit TileStep(int step)
      : m(step / N % M), n(serpentine(m, step % N, N)), k(step / (M * N)) {}
};

/// C += A B for a tile of fragments: M x N x K instructions, each operand M or N fastest. The virtual GPU takes the
/// whole tile at once, which is faster there.
template <int M, int N, int K, class Op>
TS_INLINE TS_HOST_DEVICE void multiply_add_tile(Op op, typename Op::Register const* a, typename Op::Register const* b,
                                                typename Op::CRegister* c) {
  if constexpr (matrix_instructions_by_tile) {
    matrix_multiply_add_tile<M, N, K>(op, a, b, c);
  } else {
    static_for<M * N * K>([&](auto step) {
      constexpr TileStep<M, N> at(step.value);
      matrix_multiply_add(op, a + (at.m + M * at.k) * Op::a_registers, b + (at.n + N * at.k) * Op::b_registers,
                          c + (at.m + M * at.n) * Op::c_registers);
    });
  }
}

}  // namespace detail

/// What the traits of all matrix instructions share; the three layouts are what a derived class adds.
template <class Op>
struct MatrixTraits {
  using ValA = typename detail::MatrixValue<Op::a>::type;
  using ValB = typename detail::MatrixValue<Op::b>::type;
  using ValC = typename detail::MatrixValue<Op::c>::type;
  using Shape_MNK = Shape<Int<Op::M>, Int<Op::N>, Int<Op::K>>;
  using ThrID = Layout<Int<Op::lanes>>;

  /// c += a b, one instruction of the warp.
  /// @param a (V) in registers  @param b (V) in registers  @param c (V) in registers, accumulated in place
  /// @pre every lane of the warp takes part
  template <class A, class B, class C>
  TS_INLINE TS_HOST_DEVICE static constexpr void call(A const& a, B const& b, C&& c) {
    static_assert(size_v<typename A::layout_type> == Op::a_values,
                  "the fragment of A has not as many values as the instruction takes: partition A with this atom");
    static_assert(size_v<typename B::layout_type> == Op::b_values,
                  "the fragment of B has not as many values as the instruction takes: partition B with this atom");
    static_assert(size_v<typename remove_cvref_t<C>::layout_type> == Op::c_values,
                  "the fragment of C has not as many values as the instruction gives: partition C with this atom");
    multiply_add<1, 1, 1>(a, b, c);
  }

  /// c += a b for whole tiles, as call() for each k, m and n.
  /// @param a (V,M,K) in registers  @param b (V,N,K) in registers  @param c (V,M,N) in registers
  template <class A, class B, class C>
    requires(std::is_same_v<memory_t<A>, RegisterMemory> && std::is_same_v<memory_t<B>, RegisterMemory>)
  TS_INLINE TS_HOST_DEVICE static constexpr void call_tile(A const& a, B const& b, C&& c) {
    detail::check_extents<'M'>(size<1>(a.layout()), size<1>(c.layout()));
    detail::check_extents<'N'>(size<1>(b.layout()), size<2>(c.layout()));
    detail::check_extents<'K'>(size<2>(a.layout()), size<2>(b.layout()));
    multiply_add<size_v<decltype(get<1>(a.shape()))>, size_v<decltype(get<1>(b.shape()))>,
                 size_v<decltype(get<2>(a.shape()))>>(a, b, c);
  }

 private:
  template <int M, int N, int K, class A, class B, class C>
  TS_INLINE TS_HOST_DEVICE static constexpr void multiply_add(A const& a, B const& b, C&& c) {
    typename Op::Register registers_a[M * K * Op::a_registers], registers_b[N * K * Op::b_registers];
    typename Op::CRegister registers_c[M * N * Op::c_registers];
    detail::to_registers<ValA>(a, registers_a);
    detail::to_registers<ValB>(b, registers_b);
    detail::to_registers<ValC>(c, registers_c);
    detail::multiply_add_tile<M, N, K>(Op{}, registers_a, registers_b, registers_c);
    detail::from_registers<ValC, int(size_v<typename remove_cvref_t<C>::layout_type>)>(registers_c, c, Int<0>{});
  }
};

}  // namespace tilestep
