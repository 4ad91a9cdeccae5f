#pragma once
// Layouts as text, shape:stride, in the form CuTe prints: ((_2,_3),(_5,_4)):((_5,_10),(_1,_30)).

#include <tilestep/core/print.hpp>       // to_string
#include <tilestep/layout/composed.hpp>  // Swizzle, ComposedLayout
#include <tilestep/layout/layout.hpp>    // Layout

namespace tilestep {

template <class S, class D>
std::string to_string(Layout<S, D> const& layout) {
  return to_string(layout.shape()) + ":" + to_string(layout.stride());
}
template <int B, int M, int S>
std::string to_string(Swizzle<B, M, S> const&) {
  return "Sw<" + std::to_string(B) + "," + std::to_string(M) + "," + std::to_string(S) + ">";
}
template <class F, class O, class L>
std::string to_string(ComposedLayout<F, O, L> const& c) {
  return to_string(c.layout_a()) + " o " + to_string(c.offset()) + " o " + to_string(c.layout_b());
}

}  // namespace tilestep
