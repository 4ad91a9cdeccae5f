#pragma once
// The chapter's picture: which rank holds what.

#include <tilestep/harness/figure.hpp>  // Figure

#include <vector>  // the pictures

namespace tilestep {

std::vector<Figure> several_figures();

}  // namespace tilestep
