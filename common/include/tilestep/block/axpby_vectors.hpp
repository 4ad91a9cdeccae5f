#pragma once
// axpby for neighbours: what a thread's sums and C have side by side is read and written in one access.

#include <tilestep/algorithm/access.hpp>  // read, write, for_each_coordinate

#include <cstdint>  // std::uintptr_t

namespace tilestep {

/// Do VEC neighbours along N lie side by side, at a multiple of their size, wherever they begin at a multiple of VEC?
/// And does N end with a vector? @param layout (M,N,L), strides known at run time   @tparam VEC  a power of two
template <int VEC, class T, class Layout>
TS_HOST_DEVICE bool has_vectors(T const* data, Layout const& layout) {
  auto const [M, N, L] = layout.shape();
  auto const [along_m, along_n, along_l] = layout.stride();
  return along_n == 1 && (N | along_m | along_l) % VEC == 0 &&
         reinterpret_cast<std::uintptr_t>(data) % (VEC * sizeof(T)) == 0;
}

/// y(c) = alpha x(c) + beta y(c) for VEC neighbours of mode 0 at a time, wherever pred of the first is nonzero. With
/// beta = 0, y is never read.
/// @param x accumulators (V,M,N)   @param y of the same extents
/// @pre neighbours of V lie side by side, in x and, as has_vectors() says, in y
template <int VEC, class Alpha, class X, class Beta, class Y, class Pred>
TS_INLINE TS_HOST_DEVICE constexpr void axpby(Alpha const& alpha, X const& x, Beta const& beta, Y&& y,
                                              Pred const& pred) {
  using In = typename remove_cvref_t<X>::value_type;
  using Out = typename remove_cvref_t<Y>::value_type;
  auto const [V, M, N] = detail::shared_extents(x, y, pred);
  detail::for_each_coordinate<detail::in_registers<X>, true>(
      make_shape(V / Int<VEC>{}, M, N), [&](auto const& vector) TS_INLINE_LAMBDA {
        auto const [v, m, n] = vector;
        auto const c = make_coord(v * Int<VEC>{}, m, n);
        bool const wanted = detail::wants(pred, c);
        In product[VEC]{};
        detail::read<VEC>(x, c, product, wanted);
        Out values[VEC]{};
        detail::read<VEC>(y, c, values, wanted && beta != Beta(0));
        unroll<VEC>([&](auto i) TS_INLINE_LAMBDA {
          if (detail::in_registers<X>) detail::use(product[i], "axpby");
          values[i] = static_cast<Out>(alpha * product[i] + beta * static_cast<In>(values[i]));
        });
        detail::write<VEC>(y, c, values, wanted);
      });
}

}  // namespace tilestep
