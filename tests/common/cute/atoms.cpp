// Atoms by CuTe's names.

#include <tilestep/cute/atoms.hpp>  // tested here

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

using namespace tilestep;

TEST_CASE("atoms and tiled operations have CuTe's names", "[cute]") {
  using Op = SM80_16x8x16_F32F16F16F32_TN;
  using Mma = decltype(make_tiled_mma(Op{}, Layout<Shape<_2, _2, _1>>{}));
  CHECK(std::is_same_v<MMA_Atom<Op>, MmaAtom<Op>>);
  CHECK(std::is_same_v<MMA_Traits<Op>, MmaTraits<Op>>);
  CHECK(std::is_same_v<TiledMMA<MMA_Atom<Op>, Layout<Shape<_2, _2, _1>>>, Mma>);
  CHECK(std::is_same_v<Copy_Atom<UniversalCopy<uint128_t>, half_t>, CopyAtom<CopyBits<128>, half_t>>);
  CHECK(std::is_same_v<Copy_Traits<SM75_U32x4_LDSM_N>, CopyTraits<SM75_U32x4_LDSM_N>>);
  CHECK(std::is_same_v<AutoVectorizingCopy, AutoVectorizingCopyWithAssumedAlignment<128>>);
}

TEST_CASE("the accumulators of a tile need no tensor", "[cute]") {
  auto const mma = make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}, Layout<Shape<_2, _2, _1>>{});
  auto const rC = partition_fragment_C(mma, Shape<_64, _64>{});  // (MMA,MMA_M,MMA_N)
  CHECK(to_string(rC.layout()) == "((_2,_2),_2,_4):((_1,_2),_4,_8)");
  CHECK(std::is_same_v<decltype(rC)::value_type, float>);
}
