#pragma once
// The chapter's pictures, drawn by the layouts, predicates and copies that the kernels use.

#include <tilestep/harness/figure.hpp>  // Figure

#include <vector>  // the pictures

namespace tilestep {

std::vector<Figure> padding_figures();

}  // namespace tilestep
