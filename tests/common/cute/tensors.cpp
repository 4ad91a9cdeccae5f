// Tensors by CuTe's names.

#include <tilestep/cute/tensors.hpp>  // tested here

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

#include <cstdint>  // uint32_t
#include <cstring>  // memcpy

using namespace tilestep;

TEST_CASE("tensor<I> is a mode of a tensor from its first element on", "[cute]") {
  Layout<Shape<_4, Shape<_2, _3>>, Stride<_6, Stride<_3, _1>>> const rows{};
  auto const t = make_tensor(counting_iterator<int>{100}, rows);
  CHECK(tensor<1>(t)(1, 2) == 105);
  CHECK(tensor<1, 0>(t)(1) == 103);
  CHECK(tensor(t)(3, 0) == 118);
  CHECK(is_tensor<decltype(t)>::value);
}

TEST_CASE("gmem_ptr is the library's global pointer", "[cute]") {
  float* const p = nullptr;
  CHECK(std::is_same_v<decltype(make_gmem_ptr(p)), gmem_ptr<float*>>);
  CHECK(std::is_same_v<decltype(make_gmem_ptr<float>(static_cast<void*>(p))), gmem_ptr<float*>>);
  CHECK(std::is_same_v<decltype(make_gmem_ptr<float const>(static_cast<void const*>(p))), gmem_ptr<float const*>>);
  CHECK(std::is_same_v<decltype(make_gmem_ptr<float>(nullptr)), gmem_ptr<float*>>);
  CHECK(std::is_same_v<decltype(make_rmem_ptr(p)), rmem_ptr<float*>>);
  float memory[4] = {1, 2, 3, 4};
  auto const t = make_tensor(make_gmem_ptr(memory), Layout<_4>{});
  CHECK(is_gmem<decltype(t)>::value);
  CHECK(is_rmem<decltype(make_tensor<int>(_4{}))>::value);
  CHECK(t.data().get() == memory);
}

TEST_CASE("recast reads the same memory as another type", "[cute]") {
  std::uint32_t words[4] = {0x03020100, 0x07060504, 0x0b0a0908, 0x0f0e0d0c};
  unsigned char bytes[16];
  std::memcpy(bytes, words, 16);
  auto const t = make_tensor(words, Layout<Shape<_2, _2>>{});
  auto const b = recast<unsigned char>(t);
  CHECK(to_string(b.layout()) == "(_8,_2):(_1,_8)");
  for (int i = 0; i < 16; ++i) CHECK(b(i) == bytes[i]);
  auto r = make_tensor<half_t>(Layout<_8>{});
  auto const wide = recast<std::uint32_t>(r);
  CHECK(to_string(wide.layout()) == "_4:_1");
  wide(2) = 0x3c003c00;
  CHECK(r(5) == half_t(1.0f));
  auto const g = recast<std::uint16_t>(make_tensor(make_gmem_ptr(words), Layout<_4>{}));
  CHECK(std::is_same_v<decltype(g)::value_type, std::uint16_t>);
  CHECK(to_string(g.layout()) == "_8:_1");
}

TEST_CASE("iterators count, and walk over coordinates", "[cute]") {
  auto const count = make_tensor(counting_iterator<int>{3}, make_layout(make_shape(2, 3), LayoutRight{}));
  CHECK(count(1, 2) == 8);
  CHECK(*(count.data() + 4) == 7);
  auto const along = make_layout(make_shape(4, 5), make_stride(E<0>{}, E<1>{}));
  auto const coords = make_tensor(make_inttuple_iter(10, 20), along);
  CHECK(coords(2, 3) == make_coord(12, 23));
  CHECK(std::is_same_v<decltype(make_inttuple_iter(make_coord(1, 2))), ArithmeticTupleIterator<Coord<int, int>>>);
  auto const identity = make_coord_tensor(make_identity_layout(make_shape(4, 5)));
  CHECK(identity(2, 3) == make_coord(2, 3));
}

TEST_CASE("transform changes elements, reduce adds them up", "[cute]") {
  int in[6] = {0, 1, 2, 3, 4, 5}, out[6] = {};
  auto const a = make_tensor(in, make_shape(2, 3));
  auto const b = make_tensor(out, make_shape(2, 3), LayoutRight{});
  transform(a, b, [](int x) { return 10 * x; });
  CHECK(b(1, 2) == 50);
  transform(b, [](int x) { return x + 1; });
  CHECK(out[5] == 51);
  auto r = make_tensor<int>(Shape<_2, _3>{});
  transform(a, b, r, [](int x, int y) { return y - x; });
  CHECK(r(1, 1) == 28);
  transform(r, [](int x) { return -x; });
  CHECK(r(1, 1) == -28);
  transform(a, r, [](int x) { return x; });
  CHECK(reduce(r, 100) == 115);
  CHECK(reduce(a(_, 1), 1, [](int x, int y) { return x * y; }) == 6);
}
