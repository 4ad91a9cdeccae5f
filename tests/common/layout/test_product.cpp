#include <tilestep/layout/print.hpp>     // to_string
#include <tilestep/layout/product.hpp>   // tested here

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

#include <set>                           // set

using namespace tilestep;

TEST_CASE("a product repeats the block without overlap", "[layout][product]") {
  auto const blocks = make_tuple(Layout<Shape<_2, _5>, Stride<_5, _1>>{}, Layout<Shape<_2, _2>, Stride<_2, _1>>{},
                                 Layout<Shape<_4, Shape<_2, _3>>>{});
  auto const tilers = make_tuple(Layout<Shape<_3, _4>>{}, Layout<Shape<_3, _4>, Stride<_4, _1>>{},
                                 Layout<Shape<_6, _2>, Stride<_2, _1>>{});
  for_each(blocks, [&](auto const& block) {
    for_each(tilers, [&](auto const& tiler) {
      auto const product = logical_product(block, tiler);
      INFO(to_string(block) << " x " << to_string(tiler) << " = " << to_string(product));
      CHECK(get<0>(product) == block);
      CHECK(size<1>(product) == size(tiler));
      std::set<int> offsets;
      for (int i = 0; i < int(size(product)); ++i) offsets.insert(int(product(i)));
      CHECK(int(offsets.size()) == size(product));
    });
  });
}

TEST_CASE("blocked keeps copies together, raked interleaves them", "[layout][product]") {
  constexpr Layout<Shape<_2, _5>, Stride<_5, _1>> block{};
  constexpr Layout<Shape<_3, _4>> tiler{};
  constexpr auto blocked = blocked_product(block, tiler);
  constexpr auto raked = raked_product(block, tiler);
  CHECK(to_string(blocked) == "((_2,_3),(_5,_4)):((_5,_10),(_1,_30))");
  CHECK(to_string(raked) == "((_3,_2),(_4,_5)):((_10,_5),(_30,_1))");
  for (int m = 0; m < 6; ++m) {
    for (int n = 0; n < 20; ++n) {
      CHECK(blocked(m, n) == block(m % 2, n % 5) + 10 * tiler(m / 2, n / 5));
      CHECK(raked(m, n) == block(m / 3, n / 4) + 10 * tiler(m % 3, n % 4));
    }
  }
}

TEST_CASE("the zipped, tiled and flat products differ in where the modes stand", "[layout][product]") {
  constexpr Layout<Shape<_2, _4>> block{};
  constexpr auto tiler = make_tile(Layout<_3>{}, _4{});
  CHECK(to_string(zipped_product(block, tiler)) == "((_2,_4),(_3,(_2,_2))):((_1,_2),(_2,(_1,_8)))");
  CHECK(to_string(tiled_product(block, tiler)) == "((_2,_4),_3,(_2,_2)):((_1,_2),_2,(_1,_8))");
  CHECK(to_string(flat_product(block, tiler)) == "(_2,_4,_3,(_2,_2)):(_1,_2,_2,(_1,_8))");
}

TEST_CASE("tile_to_shape repeats a block up to a shape in a chosen order", "[layout][product]") {
  constexpr Layout<Shape<_8, _8>, Stride<_8, _1>> block{};
  CHECK(to_string(tile_to_shape(block, Shape<_32, _64>{})) == "((_8,_4),(_8,_8)):((_8,_64),(_1,_256))");
  CHECK(to_string(tile_to_shape(block, Shape<_32, _64>{}, Step<_2, _1>{})) == "((_8,_4),(_8,_8)):((_8,_512),(_1,_64))");
  CHECK(compatible(Shape<_32, _64>{}, tile_to_shape(block, Shape<_32, _64>{}).shape()));
}
