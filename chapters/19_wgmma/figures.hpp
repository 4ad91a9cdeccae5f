#pragma once
// The chapter's pictures: a tile whose rows lie along M, and the ring in time while products run by themselves.

#include <tilestep/harness/figure.hpp>  // Figure

#include <vector>  // the pictures

namespace tilestep {

std::vector<Figure> wgmma_figures();

}  // namespace tilestep
