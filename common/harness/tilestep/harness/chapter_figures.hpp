#pragma once
// The pictures of a chapter, for those that figures.cpp draws without running the kernel.

#include <tilestep/harness/figure.hpp>  // Figure

#include <vector>  // the pictures

namespace tilestep {

/// Each chapter's program has its own, in figures.cpp.
std::vector<Figure> chapter_figures();

}  // namespace tilestep
