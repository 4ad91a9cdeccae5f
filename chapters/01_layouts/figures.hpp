#pragma once
// The chapter's pictures. Those of the problem follow the extents on the command line; those of the page are fixed
// examples.

#include "kernel.hpp"  // RunTimeSwizzle

#include <tilestep/harness/types.hpp>  // Extent2
#include <tilestep/show.hpp>           // Grid

#include <string>  // names
#include <vector>  // lists

namespace tilestep {

/// What the command line asks for.
struct LayoutProblem {
  std::int64_t rows = 6;
  std::int64_t cols = 8;
  Extent2 tile{2, 4};
  RunTimeSwizzle swizzle{3, 0, 3};
};

/// As the library prints a Swizzle.
inline std::string to_string(RunTimeSwizzle const& swizzle) {
  return "Sw<" + std::to_string(swizzle.bits) + "," + std::to_string(swizzle.base) + "," +
         std::to_string(swizzle.shift) + ">";
}

/// Grids that belong together, with one sentence about them.
struct Picture {
  std::string name;
  std::string sentence;
  std::vector<Grid> grids;
};

std::vector<Picture> pictures_of_problem(LayoutProblem const& problem);
std::vector<Picture> pictures_of_page();

}  // namespace tilestep
