// Fragments: tensors in registers, made like others.

#include <tilestep/atom/fragment.hpp>  // tested here

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

using namespace tilestep;

namespace {

/// A tensor in host memory that is only looked at.
template <class L>
auto memory(L const& layout) { return make_tensor(static_cast<double*>(nullptr), layout); }

template <class L>
std::string fragment_of(L const& layout) { return to_string(make_fragment_like(layout)); }

}  // namespace

TEST_CASE("make_tensor_like packs and keeps the order of the modes", "[atom][fragment]") {
  auto const rows = memory(Layout<Shape<_4, _8>, Stride<Int<100>, _1>>{});
  CHECK(to_string(make_tensor_like(rows).layout()) == "(_4,_8):(_8,_1)");
  CHECK(to_string(make_tensor_like(memory(Layout<Shape<_4, _8>, Stride<_0, _3>>{})).layout()) == "(_4,_8):(_0,_1)");
  CHECK(std::is_same_v<decltype(make_tensor_like(rows))::value_type, double>);
  CHECK(std::is_same_v<decltype(make_tensor_like<float>(rows))::value_type, float>);
  CHECK(to_string(make_tensor_like<float>(Layout<Shape<_2, _2>, Stride<_9, _3>>{}).layout()) == "(_2,_2):(_2,_1)");
  Layout<Shape<_2, _2, _2>, Stride<_0, _4, _1>> const repeated{};
  CHECK(to_string(make_layout_like(repeated)) == "(_2,_2,_2):(_0,_2,_1)");
}

TEST_CASE("a fragment has its values first and the other modes in the order of memory", "[atom][fragment]") {
  CHECK(fragment_of(Layout<Shape<_4, _2, _3>, Stride<_1, _12, _4>>{}) == "(_4,_2,_3):(_1,_12,_4)");
  CHECK(fragment_of(Layout<Shape<Shape<_4, _2>, _3>, Stride<Stride<_1, _0>, _0>>{}) == "((_4,_2),_3):((_1,_0),_4)");
  CHECK(fragment_of(Layout<Shape<_4, _8>, Stride<_8, _1>>{}) == "(_4,_8):(_1,_4)");
  Layout<Shape<Shape<_2, _2>, _3, _5>, Stride<Stride<Int<20>, _1>, _256, _64>> const nested{};
  CHECK(fragment_of(nested) == "((_2,_2),_3,_5):((_1,_2),_20,_4)");
  CHECK(fragment_of(make_layout(Shape<_4, _2, _3>{}, make_stride(_1{}, 1000, 7))) == "(_4,_2,_3):(_1,_4,_8)");
  CHECK(fragment_of(Layout<Shape<_4, Shape<_2, _3>>, Stride<_1, Stride<_12, _4>>>{}) == "(_4,(_2,_3)):(_1,(_12,_4))");
  CHECK(fragment_of(make_identity_layout(Shape<_4, _2, _3>{})) == "(_4,_2,_3):(_1,_4,_8)");
}

TEST_CASE("a fragment has its tensor's type or another, and the order below a swizzle", "[atom][fragment]") {
  auto const t = memory(composition(Swizzle<2, 0, 3>{}, Layout<Shape<_2, _4, _8>, Stride<_1, _16, _2>>{}));
  CHECK(std::is_same_v<decltype(make_fragment_like(t))::value_type, double>);
  CHECK(std::is_same_v<decltype(make_fragment_like<float>(t))::value_type, float>);
  CHECK(to_string(make_fragment_like(t).layout()) == "(_2,_4,_8):(_1,_16,_2)");
  CHECK(decltype(make_fragment_like(t))::engine_type::static_index);
}
