#pragma once
// The chapter's pictures: which block computes which tile, in which wave and on which die.

#include <tilestep/harness/figure.hpp>  // Figure

#include <vector>  // the pictures

namespace tilestep {

std::vector<Figure> order_figures();

}  // namespace tilestep
