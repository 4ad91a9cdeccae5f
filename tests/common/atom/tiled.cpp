// Tiled MMAs and copies as CuTe's kernels write them: from a bare operation, a thread's slice, its fragments, retiled.

#include <tilestep/atom.hpp>  // TiledMma, TiledCopy

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

using namespace tilestep;

namespace {

using Op = SM80_16x8x16_F32F16F16F32_TN;

}  // namespace

TEST_CASE("a tiled MMA is made of an atom or of a bare operation", "[atom]") {
  using Warps = Layout<Shape<_2, _2, _1>>;
  CHECK(std::is_same_v<decltype(make_tiled_mma(Op{}, Warps{})), decltype(make_tiled_mma(MmaAtom<Op>{}, Warps{}))>);
  CHECK(std::is_same_v<decltype(make_tiled_mma(Op{})), decltype(make_tiled_mma(MmaAtom<Op>{}))>);
  auto const tiled = make_tiled_mma(UniversalFMA<float, float, float>{}, Layout<Shape<_16, _16, _1>>{});
  CHECK(size(tiled.thread_layout()) == 256);
}

TEST_CASE("get_slice is slice, and make_fragment gives registers for a partition", "[atom]") {
  auto const mma = make_tiled_mma(Op{}, Layout<Shape<_2, _2, _1>>{}, Tile<_32, _32, _16>{});
  auto const thread = mma.get_slice(37);
  CHECK(std::is_same_v<decltype(thread), decltype(mma.slice(37)) const>);
  CHECK(std::is_same_v<decltype(thread), decltype(mma.get_thread_slice(37)) const>);
  half_t memory[1] = {};
  auto const gA = make_tensor(memory, Layout<Shape<_64, _32>, Stride<_32, _1>>{});  // (M,K)
  auto const tA = thread.partition_A(gA);                                          // (MMA,MMA_M,MMA_K)
  CHECK(to_string(mma.make_fragment_A(tA).layout()) == "((_2,_2,_2),_2,_2):((_1,_2,_4),_16,_8)");
  CHECK(to_string(thread.partition_fragment_A(gA).layout()) == to_string(mma.make_fragment_A(tA).layout()));
  auto const gC = make_tensor(memory, Layout<Shape<_64, _64>, Stride<_64, _1>>{});  // (M,N)
  auto const tC = thread.partition_C(gC);                                          // (MMA,MMA_M,MMA_N)
  CHECK(to_string(mma.make_fragment_C(tC).layout()) == "((_2,_2),_2,_4):((_1,_2),_4,_8)");
  CHECK(std::is_same_v<decltype(mma.make_fragment_C(tC))::value_type, float>);
  CHECK(std::is_same_v<decltype(mma.make_fragment_B(tA))::value_type, half_t>);
}

TEST_CASE("retile_S and retile_D are retile", "[atom]") {
  auto const mma = make_tiled_mma(Op{}, Layout<Shape<_2, _2, _1>>{}, Tile<_32, _32, _16>{});
  auto const read = make_tiled_copy_A(CopyAtom<SM75_U32x4_LDSM_N, half_t>{}, mma);
  auto const thread = read.get_slice(5);
  auto rA = mma.get_slice(5).partition_fragment_A(make_identity_tensor(Shape<_64, _32>{}));  // (MMA,MMA_M,MMA_K)
  CHECK(to_string(thread.retile_D(rA).layout()) == to_string(thread.retile(rA).layout()));
  CHECK(to_string(thread.retile_S(rA).layout()) == to_string(thread.retile(rA).layout()));
  CHECK(std::is_same_v<decltype(thread), decltype(read.slice(5)) const>);
  CHECK(std::is_same_v<decltype(thread), decltype(read.get_thread_slice(5)) const>);
}

TEST_CASE("a plain copy is named by a type or by its bits", "[atom]") {
  CHECK(std::is_same_v<CopyBits<128>, UniversalCopy<uint128_t>>);
  CHECK(std::is_same_v<CopyBits<32>, UniversalCopy<std::uint32_t>>);
  CHECK(std::is_same_v<UniversalCopy<float>, UniversalCopy<float, float>>);
  CHECK(size<1>(CopyAtom<UniversalCopy<uint128_t>, half_t>::ValLayoutSrc{}) == 8);
  CHECK(size<1>(CopyAtom<UniversalCopy<double>, float>::ValLayoutDst{}) == 2);
}
