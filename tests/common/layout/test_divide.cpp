#include <tilestep/layout/divide.hpp>    // tested here
#include <tilestep/layout/print.hpp>     // to_string

#include <catch2/catch_test_macros.hpp>  // TEST_CASE
#include <rapidcheck.h>                  // properties over run-time layouts

#include <set>                             // multiset

using namespace tilestep;

namespace {
/// All offsets of a layout, as often as they occur.
template <class L>
std::multiset<std::int64_t> offsets(L const& layout) {
  std::multiset<std::int64_t> result;
  for (int i = 0; i < int(size(layout)); ++i) result.insert(std::int64_t(layout(i)));
  return result;
}
}  // namespace

TEST_CASE("tiles and rests together cover the layout", "[layout][divide]") {
  auto const layouts = make_tuple(Layout<Shape<_8, _12>>{}, Layout<Shape<_8, _12>, Stride<_12, _1>>{},
                                  Layout<Shape<_8, Shape<_4, _3>>, Stride<_3, Stride<_24, _1>>>{},
                                  make_layout(make_shape(8, 12)),
                                  make_layout(make_shape(_8{}, 12), make_stride(20, _1{})));
  auto const tilers = make_tuple(make_tile(_4{}, _2{}), make_tile(Layout<_4, _2>{}, _4{}),
                                 make_tile(Layout<Shape<_2, _2>, Stride<_1, _4>>{}, _2{}));
  for_each(layouts, [&](auto const& layout) {
    for_each(tilers, [&](auto const& tiler) {
      INFO(to_string(layout));
      CHECK(offsets(logical_divide(layout, tiler)) == offsets(layout));
      CHECK(offsets(zipped_divide(layout, tiler)) == offsets(layout));
      CHECK(offsets(tiled_divide(layout, tiler)) == offsets(layout));
      CHECK(offsets(flat_divide(layout, tiler)) == offsets(layout));
      CHECK(get<0>(zipped_divide(layout, tiler)) == composition(layout, tiler));
    });
  });
}

TEST_CASE("the four divides differ in where the modes stand", "[layout][divide]") {
  constexpr Layout<Shape<_8, _12>> layout{};
  constexpr auto tile = make_tile(_4{}, _3{});
  CHECK(to_string(logical_divide(layout, tile)) == "((_4,_2),(_3,_4)):((_1,_4),(_8,_24))");
  CHECK(to_string(zipped_divide(layout, tile)) == "((_4,_3),(_2,_4)):((_1,_8),(_4,_24))");
  CHECK(to_string(tiled_divide(layout, tile)) == "((_4,_3),_2,_4):((_1,_8),_4,_24)");
  CHECK(to_string(flat_divide(layout, tile)) == "(_4,_3,_2,_4):(_1,_8,_4,_24)");
  CHECK(to_string(logical_divide(layout, make_tile(_, _3{}))) == "(_8,(_3,_4)):(_1,(_8,_24))");
}

TEST_CASE("a ragged edge is rounded up to a whole tile", "[layout][divide]") {
  CHECK(to_string(logical_divide(make_layout(1000), _128{})) == "(_128,8):(_1,_128)");
  CHECK(rc::check([] {
    int const m = *rc::gen::inRange(1, 300), n = *rc::gen::inRange(1, 300);
    auto const tiles = zipped_divide(make_layout(make_shape(m, n)), make_tile(_16{}, _8{}));
    RC_ASSERT((size<1, 0>(tiles) == ceil_div(m, 16)));
    RC_ASSERT((size<1, 1>(tiles) == ceil_div(n, 8)));
    int const i = *rc::gen::inRange(0, m), j = *rc::gen::inRange(0, n);
    RC_ASSERT(tiles(make_coord(i % 16, j % 8), make_coord(i / 16, j / 8)) == i + m * j);
  }));
}

TEST_CASE("dividing an identity layout says which element each place is", "[layout][divide]") {
  auto const tiles = zipped_divide(make_identity_layout(make_shape(100, 67)), make_tile(_16{}, _8{}));
  CHECK(tiles(make_coord(3, 5), make_coord(2, 7)) == make_coord(35, 61));
}

TEST_CASE("ceil_div by a layout counts tiles", "[layout][divide]") {
  CHECK(size(ceil_div(1000, Layout<_128>{})) == 8);
}
