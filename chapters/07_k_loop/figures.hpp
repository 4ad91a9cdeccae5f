#pragma once
// The chapter's pictures: tiles along K, and warps at barriers.

#include <tilestep/harness/figure.hpp>  // Figure

#include <vector>  // the pictures

namespace tilestep {

std::vector<Figure> k_loop_figures();

}  // namespace tilestep
