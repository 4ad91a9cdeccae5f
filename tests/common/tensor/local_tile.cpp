// The tiles of a tensor: every element is in exactly one.

#include "counting.hpp"  // counting, elements

#include <catch2/catch_test_macros.hpp>  // TEST_CASE
#include <rapidcheck.h>                  // random extents

using namespace tensor_test;

TEST_CASE("a tile coordinate picks a tile, an underscore keeps a row of tiles", "[tensor]") {
  auto const t = counting(make_layout(make_shape(8, 12), LayoutRight{}));                   // (8,12)
  auto const one = local_tile(t, Tile<_4, _3>{}, make_coord(1, 2));                        // (4,3)
  CHECK(shape(one) == make_shape(4, 3));
  CHECK(one(2, 1) == t(4 + 2, 6 + 1));
  auto const sixth = local_tile(t, Tile<_4, _3>{}, 5);                                     // (4,3): tile 5 is (1,2)
  CHECK(shape(sixth) == make_shape(4, 3));
  CHECK(elements(sixth) == elements(one));
  auto const row = local_tile(t, Tile<_4, _3>{}, make_coord(1, _));                        // (4,3,k)
  CHECK(shape(row) == make_shape(4, 3, 4));
  CHECK(row(2, 1, 3) == t(4 + 2, 9 + 1));
  auto const all = local_tile(t, Tile<_4, _3>{}, make_coord(_, _));                        // (4,3,m,k)
  CHECK(all(2, 1, 1, 3) == t(4 + 2, 9 + 1));
  auto const rows = local_tile(t, Tile<_4>{}, make_coord(1));                              // (4,12)
  CHECK(rows.rank == 2);
  CHECK(size<0>(rows) == 4);
  CHECK(size<1>(rows) == 12);
  CHECK(rows(2, 7) == t(6, 7));
}

TEST_CASE("a projection leaves out the modes that a tensor lacks", "[tensor]") {
  auto const tile_mnk = Tile<_4, _2, _3>{};
  auto const A = counting(make_layout(make_shape(8, 12)));                                  // (M,K)
  auto const B = counting(make_layout(make_shape(6, 12)));                                  // (N,K)
  auto const C = counting(make_layout(make_shape(8, 6)));                                   // (M,N)
  auto const where = make_coord(1, 2, _);
  CHECK(elements(local_tile(A, tile_mnk, where, Step<_1, X, _1>{})) ==
        elements(local_tile(A, Tile<_4, _3>{}, make_coord(1, _))));
  CHECK(elements(local_tile(B, tile_mnk, where, Step<X, _1, _1>{})) ==
        elements(local_tile(B, Tile<_2, _3>{}, make_coord(2, _))));
  CHECK(elements(local_tile(C, tile_mnk, where, Step<_1, _1, X>{})) ==
        elements(local_tile(C, Tile<_4, _2>{}, make_coord(1, 2))));
}

TEST_CASE("a ragged tile has full shape, and goes on in steps of the tensor's strides", "[tensor]") {
  auto const t = counting(make_layout(make_shape(5, 7), make_stride(100, 1)));
  auto const last = local_tile(t, Tile<_4, _4>{}, make_coord(1, 1));
  CHECK(shape(last) == make_shape(4, 4));
  CHECK(last(0, 0) == 404);
  CHECK(last(3, 3) == 707);
}

TEST_CASE("tiles of any tensor are disjoint and complete", "[tensor][property]") {
  bool const holds = rc::check([] {
    int const M = *rc::gen::inRange(1, 40), K = *rc::gen::inRange(1, 40);
    auto const t = counting(make_layout(make_shape(M, K), make_stride(K, 1)));
    auto const c = make_identity_tensor(shape(t));
    std::vector<std::int64_t> seen;
    for (int m = 0; m < (M + 3) / 4; ++m) {
      for (int k = 0; k < (K + 7) / 8; ++k) {
        auto const tile = local_tile(t, Tile<_4, _8>{}, make_coord(m, k));
        auto const ctile = local_tile(c, Tile<_4, _8>{}, make_coord(m, k));
        for (int i = 0; i < size(tile); ++i) {
          if (elem_less(ctile(i), shape(t))) seen.push_back(tile(i));
        }
      }
    }
    RC_ASSERT(sorted(seen) == sorted(elements(t)));
  });
  CHECK(holds);
}
