#pragma once
// The chapter's pictures, drawn from the functions that the kernel calls and from what its threads read.

#include <tilestep/harness/copy_chapter.hpp>  // CopyCall
#include <tilestep/harness/figure.hpp>        // Figure

#include <functional>  // the chapter's launch
#include <vector>      // list of figures

namespace tilestep {

/// @param run  launches the kernel of a copy
std::vector<Figure> tile_figures(std::function<void(CopyCall const&)> const& run);

}  // namespace tilestep
