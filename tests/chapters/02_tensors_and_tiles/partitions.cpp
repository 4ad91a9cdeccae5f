// The two ways to share out a tile among threads: each gives every element to one thread, and each has its own
// neighbours.

#include <tilestep/tensor.hpp>  // local_tile, local_partition, packed_partition, make_identity_tensor

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

#include <map>      // owners of an element
#include <utility>  // pair

using namespace tilestep;

namespace {

auto const strided = [](auto const& tile, auto const& threads, int t) { return local_partition(tile, threads, t); };
auto const packed = [](auto const& tile, auto const& threads, int t) { return packed_partition(tile, threads, t); };

/// Counts, for each coordinate of a tile, the threads that own it, and checks that each thread owns as many.
template <class Tile, class Threads, class PartOf>
void each_element_has_one_owner(Tile const& shape, Threads const& threads, PartOf const& part_of) {
  std::map<std::pair<int, int>, int> owners;
  auto const tile = make_identity_tensor(shape);
  for (int t = 0; t < size(threads); ++t) {
    auto const part = part_of(tile, threads, t);
    CHECK(size(part.layout()) * size(threads) == size(shape));
    for (int i = 0; i < size(part.layout()); ++i) ++owners[{get<0>(part(i)), get<1>(part(i))}];
  }
  CHECK(owners.size() == std::size_t(size(shape)));
  for (auto const& [element, count] : owners) {
    INFO(element.first << "," << element.second);
    CHECK(count == 1);
  }
}

template <class Tile, class Threads>
void both_ways(Tile const& shape, Threads const& threads) {
  each_element_has_one_owner(shape, threads, strided);
  each_element_has_one_owner(shape, threads, packed);
}

}  // namespace

TEST_CASE("strided and packed partitions give every element to one thread", "[chapter][02]") {
  both_ways(make_shape(_4{}, _16{}), make_layout(make_shape(_2{}, _4{}), LayoutRight{}));
  both_ways(make_shape(_4{}, _16{}), make_layout(make_shape(_2{}, _4{}), LayoutLeft{}));
  both_ways(make_shape(_32{}, _32{}), make_layout(make_shape(_8{}, _32{}), LayoutRight{}));
  both_ways(make_shape(_8{}, _128{}), make_layout(make_shape(_8{}, _32{}), LayoutRight{}));
  both_ways(make_shape(12, 10), make_layout(make_shape(_3{}, _5{}), LayoutRight{}));
  both_ways(make_shape(1, 1), make_layout(make_shape(_1{}, _1{})));
}

TEST_CASE("in a strided partition neighbouring threads own neighbouring elements", "[chapter][02]") {
  auto const tile = make_identity_tensor(make_shape(_8{}, _128{}));
  auto const threads = make_layout(make_shape(_8{}, _32{}), LayoutRight{});
  for (int t = 0; t + 1 < 32; ++t) {
    for (int i = 0; i < 4; ++i) {
      CHECK(local_partition(tile, threads, t)(_0{}, i) == make_coord(0, t + 32 * i));
      CHECK(get<1>(local_partition(tile, threads, t + 1)(_0{}, i)) -
                get<1>(local_partition(tile, threads, t)(_0{}, i)) ==
            1);
    }
  }
}

TEST_CASE("in a packed partition a thread owns neighbouring elements", "[chapter][02]") {
  auto const tile = make_identity_tensor(make_shape(_8{}, _128{}));
  auto const threads = make_layout(make_shape(_8{}, _32{}), LayoutRight{});
  for (int t = 0; t < 256; ++t) {
    for (int i = 0; i < 4; ++i)
      CHECK(packed_partition(tile, threads, t)(_0{}, i) == make_coord(t / 32, t % 32 * 4 + i));
  }
}

TEST_CASE("tiles cover a matrix once, and a slice of tiles is a mode", "[chapter][02]") {
  auto const matrix = make_identity_tensor(make_shape(12, 16));
  auto const tile = make_tile(_4{}, _8{});
  std::map<std::pair<int, int>, int> covered;
  for (int m = 0; m < 3; ++m) {
    auto const row_of_tiles = local_tile(matrix, tile, make_coord(m, _));
    CHECK(size<2>(row_of_tiles.layout()) == 2);
    for (int n = 0; n < 2; ++n) {
      auto const one = local_tile(matrix, tile, make_coord(m, n));
      for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 8; ++j) {
          CHECK(one(i, j) == make_coord(4 * m + i, 8 * n + j));
          CHECK(row_of_tiles(i, j, n) == one(i, j));
          ++covered[{4 * m + i, 8 * n + j}];
        }
      }
    }
  }
  CHECK(covered.size() == 12 * 16);
}

// [slices]
TEST_CASE("a slice of a tensor is a view of the same memory", "[chapter][02]") {
  int memory[6] = {0, 1, 2, 3, 4, 5};
  auto const matrix = make_tensor(&memory[0], make_shape(2, 3), make_stride(3, 1));  // (2,3)
  auto const row = matrix(1, _);                                                     // (3)
  auto const column = matrix(_, 2);                                                  // (2)
  row(0) = 30;
  CHECK(memory[3] == 30);
  CHECK(column(0) == 2);
  CHECK(column(1) == 5);
}
// [slices]
