// Grids as SVG. Only whole numbers are written, so the same grid gives the same bytes on every machine. Colours are
// classes of a style sheet inside the picture, which has a second set of them for readers in dark mode.
#include <tilestep/show/grid.hpp>

#include <algorithm>  // std::max
#include <sstream>    // std::ostringstream

namespace tilestep {

namespace {

// 16 colours: eight hues, each in two strengths. Neighbouring numbers differ in hue.
constexpr char const* light_fills[16] = {"#a8c8f0", "#f6c89a", "#a9dba5", "#f2a9a9", "#cdb8ea", "#d8c0b2",
                                         "#f0b6da", "#a0dbe2", "#d6e5f8", "#fbe5cf", "#d7efd4", "#f9d8d8",
                                         "#e7dcf5", "#ece0d9", "#f8dcee", "#d2eff2"};
constexpr char const* dark_fills[16] = {"#2f5480", "#8a5a24", "#33682f", "#863838", "#5c4387", "#694c3b",
                                        "#82406a", "#276a73", "#1f3753", "#573a1a", "#22441f", "#562626",
                                        "#3c2d58", "#453328", "#552b46", "#1b464c"};

constexpr int char_width = 8, line_height = 15, margin = 12, gap_between = 36;
constexpr int widest = 920;  // of several grids: on a page of 780 px, text of 13 px then has 11

std::string escaped(std::string const& text) {
  std::string result;
  for (char each : text) {
    switch (each) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        // XML 1.0 has no way to write other control characters.
        result += static_cast<unsigned char>(each) < 0x20 && each != '\n' ? '?' : each;
    }
  }
  return result;
}

std::vector<std::string> lines_of(std::string const& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// Characters, not bytes: the bytes that continue a UTF-8 character do not count.
int length_of(std::string const& text) {
  return static_cast<int>(std::count_if(text.begin(), text.end(), [](char each) { return (each & 0xc0) != 0x80; }));
}

/// Where everything of one grid goes, relative to its own corner.
struct Frame {
  int cell_width = 0;
  int cell_height = 0;
  int label_width = 0;  // of the row numbers
  int top = 0;          // caption and column numbers
  int width = 0;
  int height = 0;

  explicit Frame(Grid const& grid) {
    int longest = 1, lines = 1;
    for (Cell const& cell : grid.cells) {
      auto const parts = lines_of(cell.text);
      lines = std::max(lines, static_cast<int>(parts.size()));
      for (std::string const& part : parts) longest = std::max(longest, length_of(part));
    }
    longest = std::max(longest, length_of(std::to_string(grid.first_col + std::max<std::int64_t>(0, grid.cols - 1))));
    cell_height = std::max(26, lines * line_height + 6);
    cell_width = std::max(cell_height, longest * char_width + 8);
    int const corner =
        length_of(grid.row_axis + grid.col_axis) - 1;  // with the slash; two of its characters find room in the margin
    int const label = std::max(corner, length_of(std::to_string(grid.first_row + grid.rows)));
    label_width = label * char_width + 14;
    top = (grid.caption.empty() ? 0 : 24) + 20;
    int const table = label_width + static_cast<int>(grid.cols) * cell_width;
    width = std::max(table, length_of(grid.caption) * char_width);
    height = top + static_cast<int>(grid.rows) * cell_height + (grid.cut ? 22 : 0);
  }
};

class Drawing {
 public:
  void grid(Grid const& grid, int left, int top) {
    Frame const frame(grid);
    left_ = left + frame.label_width;
    top_ = top + frame.top;
    if (!grid.caption.empty()) text(left, top + 14, "caption", grid.caption);
    text(left + frame.label_width - 8, top_ - 7, "axis end", grid.row_axis + "\\" + grid.col_axis);
    for (std::int64_t row = 0; row < grid.rows; ++row) {
      int const y = top_ + static_cast<int>(row) * frame.cell_height + frame.cell_height / 2 + 4;
      text(left_ - 8, y, "axis end", std::to_string(grid.first_row + row));
    }
    for (std::int64_t col = 0; col < grid.cols; ++col) {
      int const x = left_ + static_cast<int>(col) * frame.cell_width + frame.cell_width / 2;
      text(x, top_ - 7, "axis mid", std::to_string(grid.first_col + col));
    }
    for (std::int64_t row = 0; row < grid.rows; ++row) {
      for (std::int64_t col = 0; col < grid.cols; ++col) cell(grid.at(row, col), frame, row, col);
    }
    tile_lines(grid, frame);
    for (Region const& region : grid.marked) mark(region, frame);
    if (grid.cut) {
      text(left_, top + frame.height - 6, "axis",
           "the first " + std::to_string(grid.rows) + " rows and " + std::to_string(grid.cols) + " columns");
    }
  }

  [[nodiscard]] std::string body() const { return out_.str(); }

  void text(int x, int y, std::string const& classes, std::string const& words) {
    out_ << "<text x=\"" << x << "\" y=\"" << y << "\" class=\"" << classes << "\">" << escaped(words) << "</text>\n";
  }

 private:
  void cell(Cell const& cell, Frame const& frame, std::int64_t row, std::int64_t col) {
    if (cell.color == Cell::nothing) return;
    int const x = left_ + static_cast<int>(col) * frame.cell_width,
              y = top_ + static_cast<int>(row) * frame.cell_height;
    out_ << "<g>";
    if (!cell.title.empty()) out_ << "<title>" << escaped(cell.title) << "</title>";
    out_ << "<rect x=\"" << x << "\" y=\"" << y << "\" width=\"" << frame.cell_width << "\" height=\""
         << frame.cell_height << "\" class=\""
         << (cell.color < 0 ? std::string("cell") : "cell c" + std::to_string(cell.color % 16)) << "\"/>";
    std::vector<std::string> const lines = lines_of(cell.text);
    int y_line =
        y + frame.cell_height / 2 + 4 - static_cast<int>(lines.size() - (lines.empty() ? 0 : 1)) * line_height / 2;
    for (std::string const& line : lines) {
      out_ << "<text x=\"" << x + frame.cell_width / 2 << "\" y=\"" << y_line << "\" class=\"mid\">" << escaped(line)
           << "</text>";
      y_line += line_height;
    }
    out_ << "</g>\n";
  }

  void mark(Region const& region, Frame const& frame) {
    out_ << "<rect x=\"" << left_ + static_cast<int>(region.col) * frame.cell_width << "\" y=\""
         << top_ + static_cast<int>(region.row) * frame.cell_height << "\" width=\""
         << static_cast<int>(region.cols) * frame.cell_width << "\" height=\""
         << static_cast<int>(region.rows) * frame.cell_height << "\" class=\"mark\"/>\n";
  }

  void tile_lines(Grid const& grid, Frame const& frame) {
    int const width = static_cast<int>(grid.cols) * frame.cell_width,
              height = static_cast<int>(grid.rows) * frame.cell_height;
    std::ostringstream path;
    for (std::int64_t row = grid.tile_rows; grid.tile_rows > 0 && row < grid.rows; row += grid.tile_rows) {
      path << "M" << left_ << " " << top_ + static_cast<int>(row) * frame.cell_height << "h" << width;
    }
    for (std::int64_t col = grid.tile_cols; grid.tile_cols > 0 && col < grid.cols; col += grid.tile_cols) {
      path << "M" << left_ + static_cast<int>(col) * frame.cell_width << " " << top_ << "v" << height;
    }
    if (!path.str().empty()) out_ << "<path d=\"" << path.str() << "\" class=\"tile\"/>\n";
  }

  std::ostringstream out_;
  int left_ = 0;
  int top_ = 0;
};

std::string style() {
  std::ostringstream css;
  css << "<style>\n"
         ":root{color-scheme:light dark}\n"
         "text{font:13px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#1f2328}\n"
         ".mid{text-anchor:middle}.end{text-anchor:end}.axis{fill:#656d76}.caption{font-weight:bold}\n"
         ".cell{fill:#ffffff;stroke:#8c959f;stroke-width:1}.tile{fill:none;stroke:#1f2328;stroke-width:3}\n"
         ".mark{fill:none;stroke:#b3261e;stroke-width:3;pointer-events:none}\n";
  for (int i = 0; i < 16; ++i) css << ".c" << i << "{fill:" << light_fills[i] << "}";
  css << "\n@media(prefers-color-scheme:dark){\n"
         "text{fill:#e6edf3}.axis{fill:#9198a1}\n"
         ".cell{fill:#151b23;stroke:#59636e}.tile{stroke:#e6edf3}.mark{stroke:#ffb4ab}\n";
  for (int i = 0; i < 16; ++i) css << ".c" << i << "{fill:" << dark_fills[i] << "}";
  css << "\n}\n</style>\n";
  return css.str();
}

/// A grid and the corner where it begins.
struct Placed {
  Grid const* grid;
  int x;
  int y;
};

std::string file(std::vector<Placed> const& placed, std::vector<std::string> const& notes = {}) {
  Drawing drawing;
  for (std::size_t line = 0; line < notes.size(); ++line)
    drawing.text(margin, margin + 14 + static_cast<int>(line) * 20, "axis", notes[line]);
  int width = margin, height = margin;
  std::string name;
  for (auto const& [grid, x, y] : placed) {
    Frame const frame(*grid);
    drawing.grid(*grid, x, y);
    width = std::max(width, x + frame.width);
    height = std::max(height, y + frame.height);
    if (!grid->caption.empty()) name += (name.empty() ? "" : "; ") + grid->caption;
  }
  width += margin;
  height += margin;
  std::ostringstream svg;
  svg << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << width << "\" height=\"" << height
      << "\" viewBox=\"0 0 " << width << " " << height << "\" role=\"img\" aria-label=\""
      << escaped(name.empty() ? "a table" : name) << "\">\n"
      << style() << drawing.body() << "</svg>\n";
  return svg.str();
}

}  // namespace

std::string to_svg(std::vector<Grid> const& grids) {
  std::vector<Placed> placed;
  int x = margin, y = margin, row_height = 0;
  for (Grid const& grid : grids) {
    Frame const frame(grid);
    if (x > margin && x + frame.width + margin > widest) {
      x = margin;
      y += row_height + gap_between;
      row_height = 0;
    }
    placed.push_back({&grid, x, y});
    x += frame.width + gap_between;
    row_height = std::max(row_height, frame.height);
  }
  return file(placed);
}

std::string to_svg_product(Grid const& a, Grid const& b, Grid const& c, std::vector<std::string> const& notes) {
  Frame const of_a(a), of_b(b), of_c(c);
  int const labels = std::max(of_b.label_width, of_c.label_width);  // columns of B stand above those of C
  int const x = margin + of_a.width + gap_between + labels, y = margin + of_b.height + gap_between;
  return file({{&b, x - of_b.label_width, margin}, {&a, margin, y}, {&c, x - of_c.label_width, y}}, notes);
}

std::string to_svg(Grid const& grid) { return to_svg(std::vector<Grid>{grid}); }

}  // namespace tilestep
