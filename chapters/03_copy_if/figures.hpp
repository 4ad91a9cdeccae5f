#pragma once
// The chapter's pictures, drawn from the functions that the kernel calls.

#include <tilestep/harness/figure.hpp>  // Figure

#include <vector>  // list of figures

namespace tilestep {

std::vector<Figure> window_figures();

}  // namespace tilestep
