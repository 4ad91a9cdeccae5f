#pragma once
// The chapter's pictures: what one thread loads, stores and multiplies, in time.

#include <tilestep/harness/figure.hpp>        // Figure
#include <tilestep/harness/gemm_chapter.hpp>  // GemmCall

#include <functional>  // the chapter's launch
#include <vector>      // the pictures

namespace tilestep {

/// @param run  launches the kernel of a problem
std::vector<Figure> prefetch_figures(std::function<void(GemmCall const&)> const& run);

}  // namespace tilestep
