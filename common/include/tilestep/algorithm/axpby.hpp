#pragma once
// The last step of a GEMM: scale the accumulator and add what was there before.

#include <tilestep/algorithm/access.hpp>  // read, write, for_each_coordinate

namespace tilestep {

/// y(c) = alpha x(c) + beta y(c) wherever pred(c) is nonzero. With beta = 0, y is never read: it may hold anything, NaN
/// included. N runs fastest, so that the predicate of an m is used for all its n and then forgotten.
/// @param x accumulators (V,M,N), or any modes   @param y of the same extents, in any memory
template <class Alpha, class X, class Beta, class Y, class Pred>
TS_INLINE TS_HOST_DEVICE constexpr void axpby(Alpha const& alpha, X const& x, Beta const& beta, Y&& y,
                                              Pred const& pred) {
  using In = typename remove_cvref_t<X>::value_type;
  using Out = typename remove_cvref_t<Y>::value_type;
  using T = std::conditional_t<std::is_arithmetic_v<In>, In, Alpha>;  // 16-bit sums are scaled in alpha's type
  detail::for_each_coordinate<detail::in_registers<X> || detail::in_registers<Y>, true>(
      detail::loop_over(x, y, pred), [&](auto const& c) TS_INLINE_LAMBDA {
        bool const wanted = detail::wants(pred, c);
        In product{};
        detail::read(x, c, &product, wanted);
        Out before{};
        detail::read(y, c, &before, wanted && beta != Beta(0));
        if (detail::in_registers<X>) detail::use(product, "axpby");
        if (detail::in_registers<Y>) detail::use(before, "axpby");
        Out const value =
            static_cast<Out>(static_cast<T>(alpha * static_cast<T>(product) + beta * static_cast<T>(before)));
        detail::write(y, c, &value, wanted);
      });
}
template <class Alpha, class X, class Beta, class Y>
TS_INLINE TS_HOST_DEVICE constexpr void axpby(Alpha const& alpha, X const& x, Beta const& beta, Y&& y) {
  axpby(alpha, x, beta, y, Always{});
}

}  // namespace tilestep
