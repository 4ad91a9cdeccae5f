#pragma once
// The chapter's pictures: a tile as TMA arranges it, and the ring with the parities of its mbarriers.

#include <tilestep/harness/figure.hpp>  // Figure

#include <vector>  // the pictures

namespace tilestep {

std::vector<Figure> tma_figures();

}  // namespace tilestep
