// What a reader of Composable Kernel (CK) writes first, in this library. docs/from_ck.md shows these lines.

#include <tilestep/block/padded.hpp>  // pad of a tensor
#include <tilestep/tensor.hpp>        // layouts, tensors, partitions

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

#include <numeric>  // std::iota
#include <vector>   // memory

using namespace tilestep;

TEST_CASE("CK's layouts in this library's words", "[block][ck]") {
  int const M = 6, K = 16;
  // [layout]
  auto const packed = make_layout(make_shape(M, K));  // the first mode is fastest, as in CK
  auto const rows = make_layout(make_shape(M, K), make_stride(K, _1{}));  // run-time and compile-time mixed
  CHECK(packed(2, 3) == 2 + 3 * M);
  CHECK(rows(2, 3) == 2 * K + 3);
  CHECK(rows(2 + 3 * M) == rows(2, 3));  // one index walks the first mode first
  auto const nested = make_layout(make_shape(make_shape(make_shape(2, 2), 3), make_shape(4, 3)));
  CHECK(rank_v<decltype(nested)> == 2);
  CHECK(depth_v<decltype(nested)> == 3);
  CHECK(size<0, 0>(nested) == 4);  // CK: size<0, 0>(nested)
  // [layout]
  // [unmerge]
  auto const k0mk1 = unmerge<1>(rows, make_shape(2, _8{}), Step<_1, Step<_0, _2>>{});  // [M,K] -> [K0,M,K1]
  CHECK(k0mk1(1, 5, 3) == rows(5, 8 + 3));
  // [unmerge]
}

TEST_CASE("CK's tensors, slices and partitions in this library's words", "[block][ck]") {
  std::vector<float> memory(6 * 16);
  std::iota(memory.begin(), memory.end(), 0.0f);
  float* const ptr = memory.data();
  // [tensor]
  auto const t = make_tensor(ptr, make_layout(make_shape(6, 16), make_stride(16, _1{})));  // in a kernel: global(ptr)
  auto r = make_register_tensor<float>(Shape<_2, _4>{});  // static indices alone
  clear(r);
  CHECK(r(_1{}, _3{}) == 0);
  CHECK(size(t(range(1, 3), _)) == 2 * 16);  // CK: t(slice(1, 3), slice())
  CHECK(t(range(4), 5)(3) == t(3, 5));  // CK: t(slice(4), 5); the scalar removes its mode
  CHECK(size<0>(t(range(2, -1), _)) == 4);  // CK: t(slice(2, -1), slice()); -1 is the end
  // [tensor]
  // [partition]
  auto const threads = Layout<Shape<_2, _4>, Stride<_4, _1>>{};  // (THR_M,THR_K) -> thread
  auto const run = packed_partition(t, threads, 1);  // CK's make_local_partition: 3 x 4 neighbours
  auto const strided = local_partition(t, threads, 1);  // CuTe's: neighbours belong to other threads
  CHECK(run(0, 1) == t(0, 5));
  CHECK(strided(0, 1) == t(0, 5));
  CHECK(run(1, 0) == t(1, 4));
  CHECK(strided(1, 0) == t(2, 1));
  // [partition]
  // [padded]
  auto const padded = pad(t, Tile<_4, _16>{});  // CK: make_tensor over pad(layout, shape(tile))
  CHECK(size<0>(padded) == 8);
  CHECK(padded(5, 2) == t(5, 2));
  CHECK(padded(7, 2) == 0);  // row 7 does not exist
  padded(7, 2) = 3.0f;  // goes nowhere
  // [padded]
  CHECK(memory.back() == 95);
}
