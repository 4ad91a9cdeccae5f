// Tensors as text, and tensors made like others.

#include "counting.hpp"  // counting

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

using namespace tensor_test;

TEST_CASE("a tensor prints its memory, its element's bits and its layout", "[tensor]") {
  CHECK(to_string(make_identity_tensor(make_shape(2, _3{}))) == "ArithTuple(_0,_0) o (2,_3):(_1@0,_1@1)");
  std::int16_t memory[6] = {};
  std::string const text = to_string(make_tensor(memory, make_layout(make_shape(_2{}, 3))));
  CHECK(text.starts_with("ptr[16b](0x"));
  CHECK(text.ends_with(") o (_2,3):(_1,_2)"));
  CHECK(to_string(make_tensor(global(memory), make_layout(_6{}))).starts_with("gmem_ptr[16b](0x"));
}

TEST_CASE("make_tensor_like packs and keeps the order of the modes", "[tensor]") {
  double memory[1];
  auto const rows = make_tensor(memory, Layout<Shape<_4, _8>, Stride<Int<100>, _1>>{});
  CHECK(to_string(make_tensor_like(rows).layout()) == "(_4,_8):(_8,_1)");
  auto const broadcast = make_tensor(memory, Layout<Shape<_4, _8>, Stride<_0, _3>>{});
  CHECK(to_string(make_tensor_like(broadcast).layout()) == "(_4,_8):(_0,_1)");
  CHECK(to_string(make_fragment_like(rows).layout()) == "(_4,_8):(_1,_4)");
  static_assert(std::is_same_v<decltype(make_tensor_like(rows))::value_type, double>);
}
