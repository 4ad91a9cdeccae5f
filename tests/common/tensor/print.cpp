// Tensors as text.

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
