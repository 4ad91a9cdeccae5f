// Draws which rank holds what by asking the layouts.

#include "kernel.hpp"  // holders

#include <tilestep/harness/chapter_figures.hpp>  // chapter_figures, Figure
#include <tilestep/show.hpp>                     // layout_grid, to_svg

#include <string>  // captions
#include <tuple>   // the rungs

namespace tilestep {

namespace {

/// A cell for each tile, coloured by the rank that holds it.
Grid who(std::string const& caption, Holder const& holder, char const* rows, char const* cols) {
  Grid grid = layout_grid(holder);
  for (Cell& cell : grid.cells) {
    cell.color = std::stoi(cell.text);
    cell.title = "rank " + cell.text;
  }
  grid.caption = caption + "  " + to_string(holder);
  grid.row_axis = rows;
  grid.col_axis = cols;
  return grid;
}

}  // namespace

std::vector<Figure> chapter_figures() {
  std::vector<Figure> figures;
  for (auto const& [name, rung, p, q] : {std::tuple{"gather", Rung::gather, 4, 1}, {"scatter", Rung::scatter, 4, 1},
                                         {"grid", Rung::grid, 2, 2}}) {
    Holders const all = holders(rung, p, q);
    std::vector<Grid> const grids{who("A", all.a, "m", "k"), who("B", all.b, "n", "k"), who("C", all.c, "m", "n")};
    figures.push_back({name, to_svg(grids)});
  }
  return figures;
}

}  // namespace tilestep
