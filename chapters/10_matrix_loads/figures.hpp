#pragma once
// The chapter's pictures: which lane gives which address to ldmatrix, what each lane receives, and the banks of a read.

#include <tilestep/harness/figure.hpp>  // Figure

#include <vector>  // all of them

namespace tilestep {

std::vector<Figure> matrix_load_figures();

}  // namespace tilestep
