// Loops whose indices are types where the extent is known.

#include <tilestep/tensor/loop.hpp>  // for_each_index

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

#include <cstdint>      // std::int64_t
#include <type_traits>  // std::is_same_v
#include <vector>       // visited indices

using namespace tilestep;

namespace {

template <bool Unroll, class N>
std::vector<std::int64_t> visited(N const& n) {
  std::vector<std::int64_t> all;
  for_each_index<Unroll>(n, [&](auto i) { all.push_back(i); });
  return all;
}

template <bool Unroll, class N>
bool indices_are_types(N const& n) {
  bool all = true;
  for_each_index<Unroll>(n, [&](auto i) { all = all && is_static_v<decltype(i)>; });
  return all;
}

}  // namespace

TEST_CASE("for_each_index visits 0 to n-1 in order, whatever n is", "[tensor]") {
  std::vector<std::int64_t> const five{0, 1, 2, 3, 4};
  CHECK(visited<false>(5) == five);
  CHECK(visited<false>(std::int64_t{5}) == five);
  CHECK(visited<false>(_5{}) == five);
  CHECK(visited<true>(_5{}) == five);
  CHECK(visited<true>(0).empty());
  CHECK(visited<true>(_0{}).empty());
  CHECK(visited<false>(-1).empty());
  CHECK(visited<false>(Int<unroll_limit + 1>{}).size() == unroll_limit + 1);
}

TEST_CASE("for_each_index hands out types for short static extents, and for long ones where it is asked to",
          "[tensor]") {
  CHECK(indices_are_types<false>(Int<unroll_limit>{}));
  CHECK_FALSE(indices_are_types<false>(Int<unroll_limit + 1>{}));
  CHECK(indices_are_types<true>(Int<unroll_limit + 1>{}));
  CHECK_FALSE(indices_are_types<true>(3));
}

TEST_CASE("a loop over registers has numbers where registers need no constants, if its body takes them", "[tensor]") {
  std::vector<int> all;
  bool types = true;
  auto const visit = [&](auto i) {
    all.push_back(int(i));
    types = types && is_static_v<decltype(i)>;
  };
  detail::for_each_step(_3{}, visit);
  CHECK(all == std::vector<int>{0, 1, 2});
  CHECK(types == registers_need_constants);
  types = true;
  detail::for_each_step<false>(_3{}, visit);
  CHECK(types);
}
