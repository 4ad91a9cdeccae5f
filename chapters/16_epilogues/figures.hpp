#pragma once
// The chapter's picture: who holds a sum of a tile, and who stores it.

#include <tilestep/harness/figure.hpp>  // Figure

#include <vector>  // the pictures

namespace tilestep {

std::vector<Figure> epilogue_figures();

}  // namespace tilestep
