#pragma once
// The chapter's pictures, drawn from the layouts of the atoms.

#include <tilestep/harness/figure.hpp>  // Figure

#include <vector>  // the pictures

namespace tilestep {

std::vector<Figure> mma_figures();

}  // namespace tilestep
