#pragma once
// A named picture: what --svg writes and what a chapter's figures.cpp makes.

#include <string>  // name, svg

namespace tilestep {

struct Figure {
  std::string name;  ///< file name without .svg
  std::string svg;   ///< the file's text
};

}  // namespace tilestep
