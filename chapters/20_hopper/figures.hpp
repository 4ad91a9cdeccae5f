#pragma once
// The chapter's pictures: who does what in a block, and the ring in time.

#include <tilestep/harness/figure.hpp>  // Figure

#include <vector>  // the pictures

namespace tilestep {

std::vector<Figure> hopper_figures();

}  // namespace tilestep
