#include <tilestep/backend/error.hpp>
#include <tilestep/show.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstdio>      // popen
#include <filesystem>  // a file for the parser
#include <fstream>     // its text

#include <unistd.h>  // getpid

using namespace tilestep;

namespace {

auto const row_major = make_layout(make_shape(Int<2>{}, Int<3>{}), make_stride(Int<3>{}, Int<1>{}));
auto const nested =
    make_layout(make_shape(make_shape(2, 2), make_shape(2, 4)), make_stride(make_stride(1, 4), make_stride(2, 8)));

std::size_t count(std::string const& text, std::string const& part) {
  std::size_t result = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++result;
  return result;
}

// Parses with expat, by way of Python; prints the text of every <title> in document order.
std::string titles_by_expat(std::string const& svg) {
  auto const path = std::filesystem::temp_directory_path() / ("tilestep_show_" + std::to_string(getpid()) + ".svg");
  std::ofstream(path) << svg;
  std::string const command = std::string(TILESTEP_PYTHON) +
                              " -c \"import sys, xml.etree.ElementTree as E; r = E.parse(sys.argv[1]).getroot();"
                              " assert r.tag == '{http://www.w3.org/2000/svg}svg', r.tag;"
                              " print(*[t.text for t in r.iter('{http://www.w3.org/2000/svg}title')], sep='|')\" " +
                              path.string() + " 2>&1";
  std::FILE* pipe = popen(command.c_str(), "r");
  std::string output;
  char buffer[256];
  while (std::size_t got = std::fread(buffer, 1, sizeof buffer, pipe)) output.append(buffer, got);
  int const status = pclose(pipe);
  std::filesystem::remove(path);
  return status == 0 ? output : "not well-formed: " + output;
}

}  // namespace

TEST_CASE("a layout as text is the table of its offsets", "[show]") {
  CHECK(text_layout(row_major) ==
        "(_2,_3):(_3,_1)\n"
        "m\\n  0 1 2\n"
        "  0  0 1 2\n"
        "  1  3 4 5\n");
  CHECK(text_layout(make_layout(4, 10)) ==
        "4:10\n"
        "m\\n  0  1  2  3\n"
        "  0  0 10 20 30\n");
}

TEST_CASE("tiles of a text table are separated by lines", "[show]") {
  CHECK(to_text(tiled(layout_grid(nested), 2, 2)) ==
        "((2,2),(2,4)):((1,4),(2,8))\n"
        "m\\n  0 1 |  2  3 |  4  5 |  6  7\n"
        "  0  0 2 |  8 10 | 16 18 | 24 26\n"
        "  1  1 3 |  9 11 | 17 19 | 25 27\n"
        "    -----+-------+-------+------\n"
        "  2  4 6 | 12 14 | 20 22 | 28 30\n"
        "  3  5 7 | 13 15 | 21 23 | 29 31\n");
}

TEST_CASE("a large layout is cut and says so", "[show]") {
  std::string const text =
      to_text(layout_grid(make_layout(make_shape(std::int64_t{1000000}, std::int64_t{1000000})), {2, 3}));
  CHECK(text.find("(the first 2 rows and 3 columns)") != std::string::npos);
  CHECK(count(text, "\n") == 5);
  CHECK(to_svg(layout_grid(make_layout(make_shape(std::int64_t{1000000}, std::int64_t{1000000})), {2, 3}))
            .find("the first 2 rows and 3 columns") != std::string::npos);
  CHECK_THROWS_AS(Grid(1000000, 1000000), Error);
  CHECK_THROWS_AS(Grid(-1, 2), Error);
}

TEST_CASE("an empty layout has an empty picture", "[show]") {
  CHECK(text_layout(make_layout(make_shape(0, 3))).find("0 1 2") != std::string::npos);
  CHECK(titles_by_expat(svg_layout(make_layout(make_shape(0, 0)))) == "\n");
}

TEST_CASE("coordinates of an identity layout are pictured as they are", "[show]") {
  CHECK(text_layout(make_identity_layout(make_shape(2, 2))).find("(1,0) (1,1)") != std::string::npos);
}

TEST_CASE("the SVG of a layout is well-formed and hovering tells every coordinate and offset", "[show]") {
  CHECK(titles_by_expat(svg_layout(row_major)) ==
        "(0,0) -> 0|(0,1) -> 1|(0,2) -> 2|(1,0) -> 3|(1,1) -> 4|(1,2) -> 5\n");
}

TEST_CASE("a thread-value map names the owner of every element", "[show]") {
  // Four threads of two values on a 2 x 4 tile: thread t holds rows 0 and 1 of column t.
  auto const tv = make_layout(make_shape(Int<4>{}, Int<2>{}), make_stride(Int<2>{}, Int<1>{}));
  Grid const grid = tv_grid(tv, 2, 4);
  CHECK(grid.at(1, 2).text == "T2\nV1");
  CHECK(grid.at(1, 2).title == "(1,2): thread 2, value 1");
  CHECK(grid.at(1, 2).color == 2);
  CHECK(text_tv(tv, 2, 4).find("T0 V1 T1 V1 T2 V1 T3 V1") != std::string::npos);
  CHECK(titles_by_expat(svg_tv(tv, 2, 4)).find("(0,3): thread 3, value 0|(1,0): thread 0, value 1") !=
        std::string::npos);
}

TEST_CASE("an element that two threads hold names both, and one that nobody holds stays empty", "[show]") {
  auto const shared = make_layout(make_shape(Int<2>{}, Int<2>{}), make_stride(Int<0>{}, Int<1>{}));
  Grid const grid = tv_grid(shared, 2, 2);
  CHECK(grid.at(1, 0).title == "(1,0): thread 0, value 1; thread 1, value 1");
  CHECK(grid.at(0, 1).text.empty());
}

TEST_CASE("banks are counted in words of four bytes", "[show]") {
  Grid const grid = bank_grid(make_layout(make_shape(Int<2>{}, Int<64>{}), make_stride(Int<64>{}, Int<1>{})), 2);
  CHECK(grid.at(0, 0).text == "0");
  CHECK(grid.at(0, 1).text == "0");
  CHECK(grid.at(0, 63).text == "31");
  CHECK(grid.at(1, 0).text == "0");  // two rows of 128 bytes: the conflict that swizzles remove
  auto const swizzled =
      composition(Swizzle<3, 0, 3>{}, make_layout(make_shape(Int<8>{}, Int<8>{}), make_stride(Int<8>{}, Int<1>{})));
  Grid const free = bank_grid(swizzled, 4, 8);
  for (std::int64_t col = 0; col < 8; ++col) {
    std::string seen;
    for (std::int64_t row = 0; row < 8; ++row) seen += free.at(row, col).text;
    for (char bank = '0'; bank < '8'; ++bank) CHECK(seen.find(bank) != std::string::npos);
  }
}

TEST_CASE("words from outside are escaped", "[show]") {
  Grid grid = layout_grid(row_major);
  grid.caption = "a < b & \"c\" > \x01";
  grid.at(0, 0) = {"<&>", "</title>", 0};
  std::string const titles = titles_by_expat(to_svg(grid));
  CHECK(titles.starts_with("</title>|"));
  CHECK(to_svg(grid).find("a &lt; b &amp; &quot;c&quot; &gt; ?") != std::string::npos);
}

TEST_CASE("a picture has the same bytes every time, and colours for light and dark readers", "[show]") {
  std::string const svg = to_svg({tiled(layout_grid(nested), 2, 2), offset_grid(nested)});
  CHECK(svg == to_svg({tiled(layout_grid(nested), 2, 2), offset_grid(nested)}));
  CHECK(count(svg, "prefers-color-scheme:dark") == 1);
  CHECK(count(svg, "<rect") == 64);
}

TEST_CASE("grids that are wider together than a page stand below one another", "[show]") {
  Grid const wide = layout_grid(make_layout(make_shape(2, 20)));  // 20 columns of 26 px and their labels
  auto const width = [](std::string const& svg) { return std::stoi(svg.substr(svg.find("width=\"") + 7)); };
  auto const height = [](std::string const& svg) { return std::stoi(svg.substr(svg.find("height=\"") + 8)); };
  CHECK(width(to_svg({wide, wide})) == width(to_svg(wide)));
  CHECK(height(to_svg({wide, wide})) > 2 * height(to_svg(wide)) - 30);
  Grid const narrow = layout_grid(row_major);
  CHECK(width(to_svg({narrow, narrow})) > 2 * width(to_svg(narrow)) - 30);
  CHECK(height(to_svg({narrow, narrow})) == height(to_svg(narrow)));
}

TEST_CASE("a region is marked after all cells, and where nothing is, nothing is drawn", "[show]") {
  Grid grid = layout_grid(row_major);
  grid.marked = {{1, 0, 1, 3}};
  grid.at(0, 2).color = Cell::nothing;
  std::string const svg = to_svg(grid);
  CHECK(count(svg, "class=\"cell\"") == 5);
  CHECK(count(svg, "class=\"mark\"") == 1);
  CHECK(svg.find("width=\"78\" height=\"26\" class=\"mark\"") > svg.rfind("class=\"cell\""));
}

TEST_CASE("columns of B stand above those of C, and rows of A beside its rows", "[show]") {
  Grid const a = layout_grid(make_layout(make_shape(12, 2))), b = layout_grid(make_layout(make_shape(2, 3))),
             c = layout_grid(make_layout(make_shape(12, 3)));
  std::string const svg = to_svg_product(a, b, c);
  auto const corners = [&](std::string const& name, std::size_t from) {
    std::size_t const at = svg.find(" " + name + "=\"", svg.find("<rect", from));
    return svg.substr(at, svg.find('"', at + name.size() + 3) - at);
  };
  std::size_t const first_b = svg.find("(0,0)"), last_b = svg.find("(1,2)", first_b);
  std::size_t const first_a = svg.find("(0,0)", last_b), first_c = svg.find("(0,0)", first_a + 1);
  CHECK(corners("x", first_b) == corners("x", first_c));
  CHECK(corners("y", first_a) == corners("y", first_c));
  CHECK(corners("x", first_a) != corners("x", first_c));
}
