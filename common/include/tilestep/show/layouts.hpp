#pragma once
// Pictures of layouts: which offset each coordinate has, which tile it is in, which thread holds it, which bank it
// falls into. These templates only ask the layout; the drawing is compiled once, in show/grid.hpp's sources.

#include <tilestep/core/print.hpp>  // to_string
#include <tilestep/layout.hpp>      // Layout, size
#include <tilestep/show/grid.hpp>   // Grid

#include <algorithm>  // std::min
#include <cstdint>    // std::int64_t
#include <string>     // text

namespace tilestep {

/// The largest part of a layout that is drawn.
struct Most {
  std::int64_t rows = 64;
  std::int64_t cols = 64;
};

namespace detail {

// Offsets are numbers; a layout of coordinates gives tuples, which have no colour of their own.
template <class Offset>
int color_of(Offset const& offset) {
  if constexpr (is_tuple_v<Offset>)
    return -1;
  else
    return static_cast<int>(static_cast<std::int64_t>(offset) & 0xffff);
}

template <class Layout>
auto offset_at(Layout const& layout, [[maybe_unused]] std::int64_t row, std::int64_t col) {
  if constexpr (Layout::rank == 1)
    return layout(col);
  else
    return layout(row, col);
}

// A grid with one cell for each coordinate of the layout, as far as `most` allows; cell(row, col, offset) makes it.
template <class Layout, class MakeCell>
Grid grid_over(Layout const& layout, Most most, MakeCell const& cell) {
  static_assert(Layout::rank <= 2, "a picture has two axes: group the layout's modes into two");
  std::int64_t rows = 1, cols = 0;
  if constexpr (Layout::rank == 1) {
    cols = static_cast<std::int64_t>(size(layout));
  } else {
    rows = static_cast<std::int64_t>(size<0>(layout));
    cols = static_cast<std::int64_t>(size<1>(layout));
  }
  Grid grid = make_grid(std::min(rows, most.rows), std::min(cols, most.cols), [&](std::int64_t row, std::int64_t col) {
    return cell(row, col, offset_at(layout, row, col));
  });
  grid.cut = rows > most.rows || cols > most.cols;
  grid.caption = to_string(layout);
  return grid;
}

inline std::string coordinate(std::int64_t row, std::int64_t col) {
  return "(" + std::to_string(row) + "," + std::to_string(col) + ")";
}

}  // namespace detail

/// The offset of every coordinate. Without colours; color_by_tile and color_by_offset add some.
/// @param layout  (rows, columns) -> offset; a layout of rank 1 is one row
template <class Layout>
Grid layout_grid(Layout const& layout, Most most = {}) {
  return detail::grid_over(layout, most, [](std::int64_t row, std::int64_t col, auto const& offset) {
    std::string const text = to_string(offset);
    return Cell{text, detail::coordinate(row, col) + " -> " + text, -1};
  });
}

/// The same, each cell coloured by its offset: what lies together in memory has neighbouring colours.
/// @param run  this many consecutive offsets share a colour
template <class Layout>
Grid offset_grid(Layout const& layout, std::int64_t run = 1, Most most = {}) {
  return detail::grid_over(layout, most, [run](std::int64_t row, std::int64_t col, auto const& offset) {
    std::string const text = to_string(offset);
    int const color = detail::color_of(offset);
    return Cell{text, detail::coordinate(row, col) + " -> " + text, color < 0 ? color : static_cast<int>(color / run)};
  });
}

/// Colours the cells by the tile they are in and draws lines around tiles.
Grid tiled(Grid grid, std::int64_t tile_rows, std::int64_t tile_cols);

/// Which thread holds which value: the picture of a layout (thread, value) -> index in a tile of `rows` x `cols`, where
/// the index walks down the columns, as every one-dimensional index of a layout does.
template <class LayoutTV>
Grid tv_grid(LayoutTV const& layout_tv, std::int64_t rows, std::int64_t cols) {
  static_assert(LayoutTV::rank == 2, "a thread-value layout has two modes: threads and values");
  Grid grid(rows, cols);
  for (std::int64_t value = 0; value < static_cast<std::int64_t>(size<1>(layout_tv)); ++value) {
    for (std::int64_t thread = 0; thread < static_cast<std::int64_t>(size<0>(layout_tv)); ++thread) {
      auto const index = static_cast<std::int64_t>(layout_tv(thread, value));
      if (index < 0 || index >= rows * cols) continue;
      std::int64_t const row = index % rows, col = index / rows;
      Cell& cell = grid.at(row, col);
      std::string const owner = "thread " + std::to_string(thread) + ", value " + std::to_string(value);
      if (cell.text.empty()) {
        cell = {"T" + std::to_string(thread) + "\nV" + std::to_string(value),
                detail::coordinate(row, col) + ": " + owner, static_cast<int>(thread)};
      } else {
        cell.title += "; " + owner;  // several threads hold it
      }
    }
  }
  grid.caption = to_string(layout_tv);
  return grid;
}

/// Which of `banks` banks of 4 bytes each element falls into, coloured by bank.
template <class Layout>
Grid bank_grid(Layout const& layout, std::int64_t element_bytes, std::int64_t banks = 32, Most most = {}) {
  return detail::grid_over(layout, most, [=](std::int64_t row, std::int64_t col, auto const& offset) {
    std::int64_t const bank = static_cast<std::int64_t>(offset) * element_bytes / 4 % banks;
    return Cell{std::to_string(bank),
                detail::coordinate(row, col) + " -> offset " + to_string(offset) + ", bank " + std::to_string(bank),
                static_cast<int>(bank)};
  });
}

/// Shorthands for the pictures that are made most.
template <class Layout>
std::string text_layout(Layout const& layout) {
  return to_text(layout_grid(layout));
}
template <class Layout>
std::string svg_layout(Layout const& layout) {
  return to_svg(offset_grid(layout));
}
template <class LayoutTV>
std::string text_tv(LayoutTV const& layout_tv, std::int64_t rows, std::int64_t cols) {
  return to_text(tv_grid(layout_tv, rows, cols));
}
template <class LayoutTV>
std::string svg_tv(LayoutTV const& layout_tv, std::int64_t rows, std::int64_t cols) {
  return to_svg(tv_grid(layout_tv, rows, cols));
}

}  // namespace tilestep
