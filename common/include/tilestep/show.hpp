#pragma once
// Pictures of layouts, tilings, thread-value maps and swizzles, as text and as SVG.

#include <tilestep/show/grid.hpp>     // Grid, to_text, to_svg
#include <tilestep/show/layouts.hpp>  // layout_grid, tv_grid, bank_grid
