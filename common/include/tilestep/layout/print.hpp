#pragma once
// Layouts as text, shape:stride, in the form CuTe prints: ((_2,_3),(_5,_4)):((_5,_10),(_1,_30)).

#include <tilestep/core/print.hpp>     // to_string
#include <tilestep/layout/layout.hpp>  // Layout

namespace tilestep {

template <class S, class D>
std::string to_string(Layout<S, D> const& layout) {
  return to_string(layout.shape()) + ":" + to_string(layout.stride());
}

}  // namespace tilestep
