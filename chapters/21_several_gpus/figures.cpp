// Draws which rank holds what by asking the layouts, and when its streams work.

#include "kernel.hpp"  // holders

#include <tilestep/harness/chapter_figures.hpp>  // chapter_figures, Figure
#include <tilestep/show.hpp>                     // layout_grid, to_svg

#include <algorithm>  // std::max
#include <array>      // two streams
#include <string>     // captions
#include <tuple>      // the schemes

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

/// A rank's streams in time: row 0 sends and receives, row 1 multiplies; a column is a part of the time.
class Streams {
 public:
  static constexpr int messages = 0, products = 1;

  /// Enqueues what takes `columns`, after what the stream has and not before `after`. @return its end
  int add(int stream, int after, int columns, std::string const& text, int color) {
    int& end = ends_[std::size_t(stream)];
    int const begin = std::max(end, after);
    operations_.push_back({stream, begin, columns, text, color});
    return end = begin + columns;
  }

  [[nodiscard]] Grid grid(std::string const& caption) const {
    Grid grid(2, std::max(ends_[messages], ends_[products]));
    grid.caption = caption;
    for (auto const& [stream, begin, columns, text, color] : operations_)
      for (int column = begin; column < begin + columns; ++column)
        grid.cells[std::size_t(stream * grid.cols + column)] = {.text = text, .title = text, .color = color};
    grid.row_axis = "stream";
    grid.col_axis = "time";
    return grid;
  }

 private:
  std::array<int, 2> ends_{};
  std::vector<std::tuple<int, int, int, std::string, int>> operations_;
};

/// gather and scatter on two ranks in four chunks, serial and overlapped. A chunk of a message takes a column, and all
/// messages half as long as the product.
std::vector<Grid> streams() {
  constexpr int chunks = 4, product = 1;  // columns; of this rank's own rows as many as of the other's
  Streams gather[2], scatter[2];
  for (bool const overlap : {false, true}) {
    int arrived[chunks];
    for (int c = 0; c < chunks; ++c) arrived[c] = gather[overlap].add(Streams::messages, 0, 1, std::to_string(c), c);
    int const begin = overlap ? 0 : arrived[chunks - 1];
    gather[overlap].add(Streams::products, begin, chunks * product, "own", chunks);
    for (int c = 0; c < chunks; ++c)
      gather[overlap].add(Streams::products, arrived[c], product, std::to_string(c), c);

    int finished[chunks], came = 0;
    for (int c = 0; c < chunks; ++c)
      finished[c] = scatter[overlap].add(Streams::products, 0, product, std::to_string(c), c);
    for (int c = 0; c < chunks; ++c)
      came = scatter[overlap].add(Streams::messages, finished[overlap ? c : chunks - 1], 1, std::to_string(c), c);
    scatter[overlap].add(Streams::products, overlap ? 0 : came, chunks * product, "own", chunks);
  }
  return {gather[0].grid("gather, serial"), gather[1].grid("gather, overlapped"),
          scatter[0].grid("scatter, serial"), scatter[1].grid("scatter, overlapped")};
}

}  // namespace

std::vector<Figure> chapter_figures() {
  std::vector<Figure> figures;
  for (auto const& [name, scheme, p, q] : {std::tuple{"gather", Scheme::gather, 4, 1},
                                           {"scatter", Scheme::scatter, 4, 1},
                                           {"grid", Scheme::grid, 2, 2}}) {
    Holders const all = holders(scheme, p, q);
    std::vector<Grid> const grids{who("A", all.a, "m", "k"), who("B", all.b, "n", "k"), who("C", all.c, "m", "n")};
    figures.push_back({name, to_svg(grids)});
  }
  figures.push_back({"streams", to_svg(streams())});
  return figures;
}

}  // namespace tilestep
