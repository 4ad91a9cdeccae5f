#include <tilestep/core/tuple_algorithms.hpp>  // tested here

#include <catch2/catch_test_macros.hpp>        // TEST_CASE

#include <vector>                              // vector

using namespace tilestep;

namespace {
constexpr Tuple<_1, _2, _3> flat{};
constexpr Tuple<_1, Tuple<_2, Tuple<_3>>> deep{};

template <class A, class B>
constexpr bool same(A const&, B const&) {
  return std::is_same_v<A, B>;
}
}  // namespace

TEST_CASE("static_for calls with static indices in order", "[core][tuple]") {
  std::vector<int> seen;
  static_for<3>([&](auto i) {
    STATIC_REQUIRE(is_static_v<decltype(i)>);
    seen.push_back(i);
  });
  static_for<5, 7>([&](auto i) { seen.push_back(i); });
  CHECK(seen == std::vector<int>{0, 1, 2, 5, 6});
}

TEST_CASE("apply, for_each and fold see all elements in order", "[core][tuple]") {
  CHECK(apply(flat, [](auto... x) { return (x + ...); }) == 6);
  std::vector<int> seen;
  for_each(flat, [&](auto x) { seen.push_back(x); });
  CHECK(seen == std::vector<int>{1, 2, 3});
  STATIC_REQUIRE(same(fold(flat, Tuple<>{}, [](auto const& v, auto x) { return prepend(v, x); }), Tuple<_3, _2, _1>{}));
  STATIC_REQUIRE(same(fold(_4{}, _1{}, [](auto v, auto x) { return v + x; }), Int<5>{}));
}

TEST_CASE("transform keeps the form", "[core][tuple]") {
  auto const twice = [](auto x) { return x + x; };
  STATIC_REQUIRE(same(transform(flat, twice), Tuple<_2, _4, _6>{}));
  STATIC_REQUIRE(same(transform(_4{}, twice), _8{}));
  STATIC_REQUIRE(same(transform(flat, flat, [](auto x, auto y) { return x * y; }), Tuple<_1, _4, _9>{}));
  STATIC_REQUIRE(same(transform_leaf(deep, twice), Tuple<_2, Tuple<_4, Tuple<_6>>>{}));
}

TEST_CASE("take, select, append, prepend, replace and group rearrange", "[core][tuple]") {
  STATIC_REQUIRE(same(take<1, 3>(flat), Tuple<_2, _3>{}));
  STATIC_REQUIRE(same(take<1, -1>(flat), Tuple<_2, _3>{}));
  STATIC_REQUIRE(same(take<1, 1>(flat), Tuple<>{}));
  STATIC_REQUIRE(same(select<2, 0, 0>(flat), Tuple<_3, _1, _1>{}));
  STATIC_REQUIRE(same(append(_1{}, _2{}), Tuple<_1, _2>{}));
  STATIC_REQUIRE(same(prepend(flat, _0{}), Tuple<_0, _1, _2, _3>{}));
  STATIC_REQUIRE(same(append<3>(_4{}, _1{}), Tuple<_4, _1, _1>{}));
  STATIC_REQUIRE(same(append<1>(_4{}, _1{}), _4{}));
  STATIC_REQUIRE(same(prepend<4>(flat, _0{}), Tuple<_0, _1, _2, _3>{}));
  STATIC_REQUIRE(same(replace<1>(flat, deep), Tuple<_1, remove_cvref_t<decltype(deep)>, _3>{}));
  STATIC_REQUIRE(same(group<1, 3>(flat), Tuple<_1, Tuple<_2, _3>>{}));
  STATIC_REQUIRE(same(group<0, -1>(flat), Tuple<Tuple<_1, _2, _3>>{}));
  STATIC_REQUIRE(same(tuple_cat(flat, Tuple<>{}, Tuple<_4>{}), Tuple<_1, _2, _3, _4>{}));
}

TEST_CASE("flatten and unflatten are inverses", "[core][tuple]") {
  STATIC_REQUIRE(same(flatten(deep), flat));
  STATIC_REQUIRE(same(unflatten(flat, deep), deep));
  STATIC_REQUIRE(same(flatten(_4{}), _4{}));
  STATIC_REQUIRE(same(flatten_to_tuple(_4{}), Tuple<_4>{}));
}

TEST_CASE("wrap, unwrap, repeat, repeat_like and zip build tuples", "[core][tuple]") {
  STATIC_REQUIRE(same(wrap(_4{}), Tuple<_4>{}));
  STATIC_REQUIRE(same(unwrap(Tuple<Tuple<_4>>{}), _4{}));
  STATIC_REQUIRE(same(repeat<3>(_0{}), Tuple<_0, _0, _0>{}));
  STATIC_REQUIRE(same(repeat<1>(_0{}), _0{}));
  STATIC_REQUIRE(same(repeat_like(deep, _0{}), Tuple<_0, Tuple<_0, Tuple<_0>>>{}));
  STATIC_REQUIRE(same(zip(Tuple<_1, _2>{}, Tuple<_3, _4>{}), Tuple<Tuple<_1, _3>, Tuple<_2, _4>>{}));
}
