#pragma once
// Products of complex f64 as atoms, by CuTe's names. No tensor core has them: an atom is four instructions of f64, or
// three and some additions. A lane holds of a complex matrix the elements that it holds of a real one.

#include <tilestep/atom/complex.hpp>  // complex
#include <tilestep/atom/nvidia.hpp>   // MmaTraits of the real instructions

namespace tilestep {

struct SM80_8x8x4_C64C64C64C64_TN {};
struct SM90_16x8x4_C64C64C64C64_TN {};
struct SM90_16x8x8_C64C64C64C64_TN {};
struct SM90_16x8x16_C64C64C64C64_TN {};

/// C by Gauss's method: three products for the four of (a + bi)(c + di).
struct SM80_8x8x4_GC64C64C64GC64_TN {
  /// The sums of ac, of bd, and of (a + b)(c + d), from which the complex sum is made at the end.
  struct GaussComplex {
    double t0, t1, t2;
    TS_HOST_DEVICE constexpr operator complex<double>() const { return {t0 - t1, t2 - t0 - t1}; }
  };
};

namespace detail {

/// What an instruction takes of a fragment: part(element) of each, in order.
template <int Count, class TensorT, class Part>
TS_INLINE TS_HOST_DEVICE constexpr void read_parts(double (&registers)[Count], TensorT const& fragment, Part&& part) {
  using L = typename TensorT::layout_type;
  static_assert(std::is_same_v<memory_t<TensorT>, RegisterMemory>,
                "a matrix instruction takes fragments in registers: copy the operand into one first");
  static_assert(size_v<L> == Count,
                "the fragment has not as many values as the instruction takes: partition the operand with this atom");
  unroll<Count>([&](auto i) { registers[i] = part(fragment.data()[int(L{}(int(i)))]); });
}
/// Does an atom take these fragments?
template <class Traits, class A, class B, class C>
inline constexpr bool has_values = std::is_same_v<typename A::value_type, typename Traits::ValA> &&
                                   std::is_same_v<typename B::value_type, typename Traits::ValB> &&
                                   std::is_same_v<typename remove_cvref_t<C>::value_type, typename Traits::ValC>;

/// c += a b by four products: the real parts, the imaginary part of A and the real one of B, minus the imaginary parts,
/// and the real part of A and the imaginary one of B. Each takes its sums one k after the other.
/// @tparam Op  the real instruction
template <class Op>
struct ComplexTraits {
  using ValA = complex<double>;
  using ValB = complex<double>;
  using ValC = complex<double>;
  using Shape_MNK = typename MmaTraits<Op>::Shape_MNK;
  using ThrID = typename MmaTraits<Op>::ThrID;
  using ALayout = typename MmaTraits<Op>::ALayout;
  using BLayout = typename MmaTraits<Op>::BLayout;
  using CLayout = typename MmaTraits<Op>::CLayout;

  /// @param a (V) in registers  @param b (V) in registers  @param c (V) in registers, accumulated in place
  /// @pre every lane of the warp takes part
  template <class A, class B, class C>
  TS_INLINE TS_HOST_DEVICE static constexpr void call(A const& a, B const& b, C&& c) {
    static_assert(has_values<ComplexTraits, A, B, C>,
                  "a complex atom takes fragments of complex<double>: make them with partition_fragment_A, _B and _C");
    auto const real = [](ValA const& x) { return x.real(); };
    auto const imaginary = [](ValA const& x) { return x.imag(); };
    double real_a[Op::a_registers], imag_a[Op::a_registers], minus_a[Op::a_registers], real_b[Op::b_registers],
        imag_b[Op::b_registers], real_c[Op::c_registers], imag_c[Op::c_registers];
    read_parts(real_a, a, real);
    read_parts(imag_a, a, imaginary);
    read_parts(minus_a, a, [](ValA const& x) { return -x.imag(); });
    read_parts(real_b, b, real);
    read_parts(imag_b, b, imaginary);
    read_parts(real_c, c, real);
    read_parts(imag_c, c, imaginary);
    matrix_multiply_add(Op{}, real_a, real_b, real_c);
    matrix_multiply_add(Op{}, imag_a, real_b, imag_c);
    matrix_multiply_add(Op{}, minus_a, imag_b, real_c);
    matrix_multiply_add(Op{}, real_a, imag_b, imag_c);
    using L = typename remove_cvref_t<C>::layout_type;
    unroll<Op::c_registers>([&](auto i) { c.data()[int(L{}(int(i)))] = ValC(real_c[i], imag_c[i]); });
  }
};

}  // namespace detail

template <>
struct MmaTraits<SM80_8x8x4_C64C64C64C64_TN> : detail::ComplexTraits<SM80_8x8x4_F64F64F64F64_TN> {};
template <>
struct MmaTraits<SM90_16x8x4_C64C64C64C64_TN> : detail::ComplexTraits<SM90_16x8x4_F64F64F64F64_TN> {};
template <>
struct MmaTraits<SM90_16x8x8_C64C64C64C64_TN> : detail::ComplexTraits<SM90_16x8x8_F64F64F64F64_TN> {};
template <>
struct MmaTraits<SM90_16x8x16_C64C64C64C64_TN> : detail::ComplexTraits<SM90_16x8x16_F64F64F64F64_TN> {};

/// c += a b by three products; A's and B's sums of parts are rounded, so that cancellation costs digits.
template <>
struct MmaTraits<SM80_8x8x4_GC64C64C64GC64_TN> : detail::ComplexTraits<SM80_8x8x4_F64F64F64F64_TN> {
  using ValC = SM80_8x8x4_GC64C64C64GC64_TN::GaussComplex;

  template <class A, class B, class C>
  TS_INLINE TS_HOST_DEVICE static constexpr void call(A const& a, B const& b, C&& c) {
    static_assert(detail::has_values<MmaTraits, A, B, C>,
                  "this atom has sums of GaussComplex: make C with partition_fragment_C, then copy it to complex ones");
    auto const multiply = [&](auto const& part, double ValC::*sums) {
      double parts_a[1], parts_b[1], parts_c[2];
      detail::read_parts(parts_a, a, part);
      detail::read_parts(parts_b, b, part);
      detail::read_parts(parts_c, c, [&](ValC const& x) { return x.*sums; });
      matrix_multiply_add(SM80_8x8x4_F64F64F64F64_TN{}, parts_a, parts_b, parts_c);
      using L = typename remove_cvref_t<C>::layout_type;
      unroll<2>([&](auto i) { c.data()[int(L{}(int(i)))].*sums = parts_c[i]; });
    };
    multiply([](ValA const& x) { return x.real(); }, &ValC::t0);
    multiply([](ValA const& x) { return x.imag(); }, &ValC::t1);
    multiply([](ValA const& x) { return x.real() + x.imag(); }, &ValC::t2);
  }
};

}  // namespace tilestep
