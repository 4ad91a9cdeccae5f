// The walk over a tensor's coordinates.

#include <tilestep/algorithm/access.hpp>  // for_each_coordinate, read, write

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

#include <utility>  // pairs of coordinates
#include <vector>   // visited coordinates

using namespace tilestep;

namespace {

template <bool Unroll, class Shape>
std::vector<std::pair<int, int>> visited(Shape const& shape) {
  std::vector<std::pair<int, int>> all;
  detail::for_each_coordinate<Unroll>(shape, [&](auto const& c) { all.emplace_back(int(get<0>(c)), int(get<1>(c))); });
  return all;
}

}  // namespace

TEST_CASE("every coordinate is visited once, the first mode fastest", "[algorithm]") {
  std::vector<std::pair<int, int>> const all{{0, 0}, {1, 0}, {0, 1}, {1, 1}, {0, 2}, {1, 2}};
  CHECK(visited<false>(make_shape(2, 3)) == all);
  CHECK(visited<false>(make_shape(_2{}, 3)) == all);
  CHECK(visited<true>(make_shape(_2{}, _3{})) == all);
  CHECK(visited<true>(make_shape(_2{}, make_shape(_1{}, _3{}))) == all);
  CHECK(visited<false>(make_shape(0, 3)).empty());
  CHECK(visited<false>(make_shape(2, 0)).empty());
}

TEST_CASE("a tensor of one mode is walked by integers", "[algorithm]") {
  std::vector<int> all;
  detail::for_each_coordinate<false>(make_shape(3), [&](auto const& c) { all.push_back(int(c)); });
  detail::for_each_coordinate<false>(_2{}, [&](auto const& c) { all.push_back(int(c)); });
  CHECK(all == std::vector<int>{0, 1, 2, 0, 1});
}

TEST_CASE("a read or a write without its predicate touches nothing", "[algorithm]") {
  int memory[4] = {1, 2, 3, 4}, registers[2] = {-1, -1};
  auto t = make_tensor(memory, make_layout(_4{}));
  detail::read<2>(t, _2{}, registers, false);
  CHECK(registers[0] == -1);
  detail::read<2>(t, _2{}, registers, true);
  CHECK((registers[0] == 3 && registers[1] == 4));
  detail::write<2>(t, _0{}, registers, false);
  CHECK(memory[0] == 1);
  detail::write<2>(t, _0{}, registers, true);
  CHECK((memory[0] == 3 && memory[1] == 4 && memory[2] == 3));
}

TEST_CASE("one element is read into the first register, and written from there", "[algorithm]") {
  int memory[2] = {1, 2}, registers[2] = {-1, -1};
  auto t = make_tensor(memory, make_layout(_2{}));
  detail::read(t, _1{}, registers);
  CHECK((registers[0] == 2 && registers[1] == -1));
  detail::write(t, _0{}, registers);
  CHECK((memory[0] == 2 && memory[1] == 2));
}
