#pragma once
// One thread's product of four 8-bit integers by four, added to a sum of 32 bits, by CuTe's name. NVIDIA has an
// instruction for it from compute capability 6.1 on; elsewhere it is four products.

#include <tilestep/atom/matrix_fragment.hpp>  // to_registers
#include <tilestep/backend/dot_product.hpp>   // dot_product

namespace tilestep {

struct SM61_DP4A {};

template <>
struct MmaTraits<SM61_DP4A> {
  using ValA = std::int8_t;
  using ValB = std::int8_t;
  using ValC = std::int32_t;
  using Shape_MNK = Shape<_1, _1, _4>;
  using ThrID = Layout<_1>;
  using ALayout = Layout<Shape<_1, _4>>;
  using BLayout = Layout<Shape<_1, _4>>;
  using CLayout = Layout<Shape<_1, _1>>;

  /// c += a(0) b(0) + .. + a(3) b(3), which wraps around.
  /// @param a (V) in registers  @param b (V) in registers  @param c (V) in registers, accumulated in place
  template <class A, class B, class C>
  TS_INLINE TS_HOST_DEVICE static constexpr void call(A const& a, B const& b, C&& c) {
    static_assert(size_v<typename A::layout_type> == 4 && size_v<typename B::layout_type> == 4,
                  "a dot product takes fragments of four values: partition A and B with this atom");
    std::uint32_t values_a[1] = {}, values_b[1] = {};
    detail::to_registers<ValA>(a, values_a);
    detail::to_registers<ValB>(b, values_b);
    detail::use(values_a[0], "a dot product");
    detail::use(values_b[0], "a dot product");
    detail::use(c.data()[0], "a dot product");
    c.data()[0] = dot_product(values_a[0], values_b[0], c.data()[0]);
  }
};

}  // namespace tilestep
