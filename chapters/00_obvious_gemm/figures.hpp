#pragma once
// The chapter's picture of a machine.

#include <tilestep/harness/figure.hpp>  // Figure

#include <vector>  // the pictures

namespace tilestep {

std::vector<Figure> obvious_gemm_figures();

}  // namespace tilestep
