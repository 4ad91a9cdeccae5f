#pragma once
// The chapter's pictures, drawn from the layouts that the kernels use.

#include <tilestep/harness/figure.hpp>  // Figure

#include <vector>  // the pictures

namespace tilestep {

std::vector<Figure> fma_gemm_figures();

}  // namespace tilestep
