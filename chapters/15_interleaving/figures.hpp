#pragma once
// The chapter's picture: what a warp issues between its matrix instructions.

#include <tilestep/harness/figure.hpp>  // Figure

#include <vector>  // the pictures

namespace tilestep {

std::vector<Figure> interleave_figures();

}  // namespace tilestep
