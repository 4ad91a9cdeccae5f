#pragma once
// The chapter's pictures: tiles along K, and warps at barriers.

#include <tilestep/harness/figure.hpp>        // Figure
#include <tilestep/harness/gemm_chapter.hpp>  // GemmCall

#include <functional>  // the chapter's launch
#include <vector>      // the pictures

namespace tilestep {

/// @param run  launches the kernel of a problem
std::vector<Figure> k_loop_figures(std::function<void(GemmCall const&)> const& run);

}  // namespace tilestep
