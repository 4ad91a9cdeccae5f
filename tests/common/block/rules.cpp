// What a configuration of a block is made of, at compile time.

#include <tilestep/block/gemm_config.hpp>  // GemmConfig
#include <tilestep/block/xdl.hpp>          // XdlGemm

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

using namespace tilestep;

TEST_CASE("an XdlGemm's shared tiles are the (K0,M,K1) of its parts", "[block]") {
  using Gemm = XdlGemm<half_t, XdlTraits_32x32Xdl_4x2XdlPerWave_8K1, 256, 256, 128, 32>;
  STATIC_REQUIRE(std::is_same_v<decltype(Gemm::TileA{}.shape()), Shape<_4, _256, _8>>);
  STATIC_REQUIRE(std::is_same_v<decltype(Gemm::TileB{}.shape()), Shape<_4, _128, _8>>);
  STATIC_REQUIRE(std::is_same_v<Gemm::Waves, Layout<Shape<_2, _2, _1>>>);
  STATIC_REQUIRE(decltype(Gemm::Mma::size())::value == 256);
}

TEST_CASE("unmerge makes (K0,M,K1) of a tile (M,K), and both name the same elements", "[block]") {
  auto const mk = Layout<Shape<_64, _32>, Stride<_32, _1>>{};
  auto const split = unmerge<1>(mk, make_shape(_4{}, _8{}), make_tuple(_1{}, make_tuple(_0{}, _2{})));   // (K0,M,K1)
  for (int m = 0; m < 64; ++m) for (int k = 0; k < 32; ++k) CHECK(int(mk(m, k)) == int(split(k / 8, m, k % 8)));
}

TEST_CASE("a (K0,M,K1) tile is what unmerge makes of it, with a chunk of 16 bytes after each M", "[block]") {
  constexpr auto mk = detail::shared_tile<Arrangement::k0_m_k1, Contiguous::k, half_t, 64, 32>();  // (M,(K1,K0))
  constexpr auto ck = Layout<Shape<_4, _64, _8>, Stride<Int<65 * 8>, _8, _1>>{};                   // (K0,M,K1)
  for (int m = 0; m < 64; ++m)
    for (int k = 0; k < 32; ++k) CHECK(int(mk(m, k)) == int(ck(k / 8, m, k % 8)));
  STATIC_REQUIRE(cosize(mk) == 64 * 32 + 3 * 8);
}

TEST_CASE("a lane of AMD's instructions takes 16 bytes of K from shared memory", "[block]") {
  // CDNA 32x32x8: two runs of four 16-bit elements, so the order of K goes 8 for lanes 0-31, 8 for lanes 32-63.
  STATIC_REQUIRE(std::is_same_v<decltype(detail::k_order<CDNA_32x32x8_F32F16F16F32>()),
                                Layout<Shape<_4, _2, _2>, Stride<_1, _8, _4>>>);
}
