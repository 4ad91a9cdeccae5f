#pragma once
// The chapter's pictures: which banks a tile's chunks lie in, and which banks the lanes of one access meet.

#include <tilestep/harness/figure.hpp>  // Figure

#include <vector>  // the pictures

namespace tilestep {

std::vector<Figure> bank_figures();

}  // namespace tilestep
