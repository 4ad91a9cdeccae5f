// CK's words for a block's product: every preset multiplies right, and its registers are the elements of its partition
// of C.

#include "tile_product.hpp"  // TileProduct, check_product

#include <tilestep/block/xdl.hpp>  // XdlGemm

using namespace tilestep;
using namespace tilestep::test;

namespace {

/// Whether the instruction multiplies the type that was asked for.
template <class T, class Traits, int BlockSize, int M, int N, int K, class Op>
constexpr bool multiplies_its_type(XdlGemm<T, Traits, BlockSize, M, N, K, Op> const&) {
  return std::is_same_v<typename MmaTraits<Op>::ValA, T>;
}

/// @tparam Gemm  an XdlGemm with these extents
template <class Gemm, int M, int N, int K> Counted product(std::string const& target) {
  static_assert(multiplies_its_type(Gemm{}));
  using Read = AutoVectorizingCopyWithAssumedAlignment<128>;
  using Kernel = TileProduct<typename Gemm::Mma, Read, Read, typename Gemm::TileA, typename Gemm::TileB, M, N, K>;
  return check_product<Kernel, typename Gemm::Mma, M, N, K>(target);
}

/// One wave with a preset.
template <class Traits, int K>
void preset() {
  constexpr int M = Traits::MPerXDL * Traits::MXdlPerWave, N = Traits::NPerXDL * Traits::NXdlPerWave;
  INFO(M << " x " << N << ", K1 = " << Traits::K1);
  Counted const counted = product<XdlGemm<half_t, Traits, 64, M, N, K>, M, N, K>("gfx942");
  // A lane takes K1 neighbours at once, up to 8 of them: 16 bytes.
  CHECK(counted.shared_loads == (M + N) * K / (64 * (Traits::K1 < 8 ? Traits::K1 : 8)));
}

}  // namespace

TEST_CASE("every preset of CK's traits multiplies right", "[block]") {
  preset<XdlTraits_32x32Xdl_4x2XdlPerWave_4K1, 16>();
  preset<XdlTraits_32x32Xdl_4x2XdlPerWave_8K1, 16>();
  preset<XdlTraits_32x32Xdl_4x2XdlPerWave_16K1, 32>();
  preset<XdlTraits_32x32Xdl_2x4XdlPerWave_4K1, 16>();
  preset<XdlTraits_32x32Xdl_2x4XdlPerWave_8K1, 16>();
  preset<XdlTraits_32x32Xdl_2x4XdlPerWave_16K1, 32>();
  preset<XdlTraits_32x32Xdl_2x2XdlPerWave_4K1, 16>();
  preset<XdlTraits_32x32Xdl_2x2XdlPerWave_8K1, 16>();
  preset<XdlTraits_32x32Xdl_2x2XdlPerWave_16K1, 32>();
}

TEST_CASE("the presets have the numbers that their names say", "[block]") {
  auto const says = []<class Traits>(Traits, int m, int n, int k1) {
    return Traits::MPerXDL == 32 && Traits::NPerXDL == 32 && Traits::MXdlPerWave == m && Traits::NXdlPerWave == n &&
           Traits::K1 == k1;
  };
  CHECK(says(XdlTraits_32x32Xdl_4x2XdlPerWave_4K1{}, 4, 2, 4));
  CHECK(says(XdlTraits_32x32Xdl_4x2XdlPerWave_8K1{}, 4, 2, 8));
  CHECK(says(XdlTraits_32x32Xdl_4x2XdlPerWave_16K1{}, 4, 2, 16));
  CHECK(says(XdlTraits_32x32Xdl_2x4XdlPerWave_4K1{}, 2, 4, 4));
  CHECK(says(XdlTraits_32x32Xdl_2x4XdlPerWave_8K1{}, 2, 4, 8));
  CHECK(says(XdlTraits_32x32Xdl_2x4XdlPerWave_16K1{}, 2, 4, 16));
  CHECK(says(XdlTraits_32x32Xdl_2x2XdlPerWave_4K1{}, 2, 2, 4));
  CHECK(says(XdlTraits_32x32Xdl_2x2XdlPerWave_8K1{}, 2, 2, 8));
  CHECK(says(XdlTraits_32x32Xdl_2x2XdlPerWave_16K1{}, 2, 2, 16));
}

TEST_CASE("XdlGemm takes other types, other instructions and several waves", "[block]") {
  product<XdlGemm<bfloat16_t, XdlTraits<16, 16, 2, 2, 8>, 256, 64, 64, 32>, 64, 64, 32>("gfx90a");
  product<XdlGemm<bfloat16_t, XdlTraits<32, 32, 1, 1, 8>, 64, 32, 32, 16>, 32, 32, 16>("gfx942");
  product<XdlGemm<half_t, XdlTraits<16, 16, 1, 2, 4>, 64, 16, 32, 16>, 16, 32, 16>("gfx942");
  product<XdlGemm<float, XdlTraits<16, 16, 1, 1, 4>, 64, 16, 16, 16>, 16, 16, 16>("gfx942");
  product<XdlGemm<std::int8_t, XdlTraits<16, 16, 2, 1, 16>, 64, 32, 16, 64>, 32, 16, 64>("gfx942");
  product<XdlGemm<float, Xdl32x32_2x2PerWave<4>, 128, 128, 64, 16>, 128, 64, 16>("gfx942");
  product<XdlGemm<std::int8_t, Xdl32x32_2x2PerWave<16>, 64, 64, 64, 64>, 64, 64, 64>("gfx942");
  product<XdlGemm<std::int8_t, Xdl32x32_2x2PerWave<4>, 64, 64, 64, 32, CDNA2_32x32x8_I32I8I8I32>, 64, 64, 32>("gfx90a");
}

TEST_CASE("CK's functions give a tile of C to registers and back", "[block]") {
  constexpr XdlGemm<half_t, Xdl32x32_2x2PerWave<8>, 128, 128, 64, 32> gemm{};
  auto registers = make_blockwise_gemm_xdl_c_vgpr(gemm);  // (MMA,MMA_M,MMA_N)
  std::vector<float> c(128 * 64, 0.0f);
  auto const tile = make_tensor(c.data(), Layout<Shape<_128, _64>, Stride<_64, _1>>{});               // (M,N)
  for (int thread = 0; thread < 128; ++thread) {
    auto part = make_blockwise_gemm_xdl_c_local_partition(gemm, thread, tile);  // (MMA,MMA_M,MMA_N)
    CHECK(part.shape() == registers.shape());
    fill(registers, float(thread + 1));
    copy(registers, part);
  }
  std::vector<int> held(129);
  for (float owner : c) ++held[std::size_t(owner)];
  CHECK(held[0] == 0);
  for (int thread = 1; thread <= 128; ++thread) CHECK(held[std::size_t(thread)] == 64);
}
