#pragma once
// The chapter's pictures, drawn from the layouts that the kernel uses.

#include <tilestep/harness/figure.hpp>  // Figure

#include <vector>  // list of figures

namespace tilestep {

std::vector<Figure> tile_figures();

}  // namespace tilestep
