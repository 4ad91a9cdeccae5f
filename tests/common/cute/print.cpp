// Tables in CuTe's form.

#include <tilestep/atom/complex.hpp>  // complex
#include <tilestep/atom/subbyte.hpp>  // int4b_t
#include <tilestep/cute/print.hpp>    // tested here
#include <tilestep/cute/tensors.hpp>  // counting_iterator

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

using namespace tilestep;

TEST_CASE("a layout is a table of its offsets", "[cute][print]") {
  CHECK(table_of(Layout<Shape<_2, _3>, Stride<_3, _1>>{}) ==
        "(_2,_3):(_3,_1)\n"
        "      0   1   2 \n"
        "    +---+---+---+\n"
        " 0  | 0 | 1 | 2 |\n"
        "    +---+---+---+\n"
        " 1  | 3 | 4 | 5 |\n"
        "    +---+---+---+\n");
  CHECK(table_of(composition(Swizzle<1, 0, 1>{}, Layout<Shape<_1, _4>, Stride<_0, _4>>{})) ==
        "Sw<1,0,1> o _0 o (_1,_4):(_0,_4)\n"
        "       0    1    2    3 \n"
        "    +----+----+----+----+\n"
        " 0  |  0 |  4 |  8 | 12 |\n"
        "    +----+----+----+----+\n");
}

TEST_CASE("a tensor is a table of its elements", "[cute][print]") {
  CHECK(table_of(make_tensor(counting_iterator<int>{7}, make_shape(2))) == "    7\n    8\n");
  CHECK(table_of(make_tensor(counting_iterator<int>{9}, make_shape(2, 2))) == "    9   11\n   10   12\n");
  auto const count = counting_iterator<int>{0};
  CHECK(table_of(make_tensor(count, make_shape(1, 2, 2))) == "    0    1\n----------\n    2    3\n");
  CHECK(table_of(make_tensor(counting_iterator<int>{0}, make_shape(1, 1, 1, 2))) == "    0\n=====\n    1\n");
  float const f[2] = {1.5f, -20};
  CHECK(table_of(make_tensor(f, make_shape(1, 2))) == "  1.50e+00 -2.00e+01\n");
  double const d[1] = {0.125};
  CHECK(table_of(make_tensor(d, make_shape(1))) == "  1.250e-01\n");
  int4b_t const nibbles[2] = {int4b_t(-8), int4b_t(7)};
  CHECK(table_of(make_tensor(nibbles, make_shape(1, 2))) == "   -8    7\n");
  complex<double> const z[1] = {{1.5, -2}};
  CHECK(table_of(make_tensor(z, make_shape(1))) == "  1.500000+-2.000000i\n");
  bool const b[2] = {true, false};
  CHECK(table_of(make_tensor(b, make_shape(1, 2))) == "  1  0\n");
  CHECK(table_of(make_tensor(global(f), make_shape(1, 2))) == "  1.50e+00 -2.00e+01\n");
  CHECK(table_of(make_identity_tensor(make_shape(1, 2))) == "  (0,0)  (0,1)\n");
}

TEST_CASE("a layout is a LaTeX picture", "[cute][print]") {
  std::string const text = latex_of(Layout<Shape<_2, _9>>{});
  CHECK(text.starts_with("% (_2,_9):(_1,_2)\n\\documentclass"));
  CHECK(text.ends_with("\\end{tikzpicture}\n\\end{document}\n"));
  CHECK(text.find("\\node[fill=black!40] at (1,4) {9};\n") != std::string::npos);
  CHECK(text.find("grid (2,9);") != std::string::npos);
}
