#pragma once
// The chapter's picture: when each multiprocessor of a small machine works, with K whole and in slices.

#include <tilestep/harness/figure.hpp>  // Figure

#include <vector>  // the pictures

namespace tilestep {

std::vector<Figure> schedule_figures();

}  // namespace tilestep
