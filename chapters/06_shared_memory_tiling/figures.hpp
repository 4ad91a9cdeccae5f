#pragma once
// The chapter's pictures, drawn from the configurations that its kernels are made of.

#include <tilestep/harness/figure.hpp>  // Figure

#include <vector>  // all of them

namespace tilestep {

std::vector<Figure> tiling_figures();

}  // namespace tilestep
