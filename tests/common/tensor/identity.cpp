// The identity tensor: every element is its own coordinate, also in tiles and past the end.

#include "counting.hpp"  // tilestep

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

using namespace tensor_test;

TEST_CASE("an identity tensor's element at c is c", "[tensor]") {
  auto const c = make_identity_tensor(make_shape(4, 5));
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 5; ++j) CHECK(c(i, j) == make_coord(i, j));
  }
  CHECK(c(4 + 1) == make_coord(1, 1));
  auto const nested = make_identity_tensor(make_shape(make_shape(2, 3), 4));
  CHECK(nested(make_coord(1, 2), 3) == make_coord(make_coord(1, 2), 3));
  CHECK(nested(3, 2) == make_coord(make_coord(1, 1), 2));
}

TEST_CASE("an identity tensor goes on past its shape and before its origin", "[tensor]") {
  auto const c = make_identity_tensor(make_shape(4, 5));
  CHECK(c(7, -3) == make_coord(7, -3));
  CHECK(c(4, 0) == make_coord(4, 0));
}

TEST_CASE("a tile of an identity tensor holds coordinates of the whole", "[tensor]") {
  std::int64_t const m = 1, n = 2;
  auto const c = make_identity_tensor(make_shape(std::int64_t{10}, std::int64_t{11}));          // (10,11)
  auto const tile = local_tile(c, Tile<_4, _4>{}, make_coord(m, n));                              // (4,4) -> (m,n)
  CHECK(shape(tile) == make_shape(_4{}, _4{}));
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) CHECK(tile(i, j) == make_coord(4 + i, 8 + j));                  // (4..7, 8..11): ragged
  }
  auto const part = local_partition(tile, Layout<Shape<_2, _2>, Stride<_2, _1>>{}, 3);           // (2,2) -> (m,n)
  CHECK(part(1, 0) == make_coord(4 + 3, 8 + 1));
  CHECK(part(_1{}, _1{}) == make_coord(7, 11));
  CHECK(elem_less(part(0, 0), make_shape(10, 11)));
  CHECK_FALSE(elem_less(part(1, 1), make_shape(10, 11)));
}

TEST_CASE("identity tensors slice, in every number of modes", "[tensor]") {
  auto const c = make_identity_tensor(make_shape(4, 5, 6));
  CHECK(c(2, _, 3)(1) == make_coord(2, 1, 3));
  CHECK(c(_, 4, _)(3, 5) == make_coord(3, 4, 5));
  auto const line = make_identity_tensor(make_shape(7));
  CHECK(line(3) == make_coord(3));
  auto const bare = make_identity_tensor(7);
  CHECK(bare(3) == 3);
}
