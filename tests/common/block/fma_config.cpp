// What a GEMM by multiply-adds is made of: who has which sums, and how tiles get to shared memory and from there to the
// threads.

#include <tilestep/backend/launch.hpp>        // launch
#include <tilestep/backend/runtime.hpp>       // DeviceBuffer, take_reports, set_run_options
#include <tilestep/block/carried_tile.hpp>    // CarriedTile
#include <tilestep/block/fma_config.hpp>      // FmaConfig
#include <tilestep/block/gemm_params.hpp>     // MatrixLayout

#include <catch2/catch_test_macros.hpp>  // CHECK

#include <string>  // targets
#include <vector>  // matrices

using namespace tilestep;

namespace {

template <Contiguous A>
using Large = FmaConfig<BlockTile<128, 256, 8, 2, 4>, A, Contiguous::mn>;
template <Contiguous A>
using Small = FmaConfig<BlockTile<64, 128, 8, 1, 2, 4>, A, Contiguous::mn>;
template <Contiguous A>
using SmallWarps = FmaConfig<BlockTile<64, 64, 32, 2, 2, 4>, A, Contiguous::mn>;
template <Contiguous A>
using FewRows = FmaConfig<BlockTile<32, 64, 16, 1, 2, 8>, A, Contiguous::mn>;
template <Contiguous A>
using EightRows = FmaConfig<BlockTile<8, 128, 16, 1, 1, 12>, A, Contiguous::mn>;

/// The same tiles, whose copies read one element at once.
template <Contiguous A>
using LargeByOne = FmaConfig<BlockTile<128, 128, 8, 2, 2, 2>, A, Contiguous::mn, 1>;
template <Contiguous A>
using SmallByOne = FmaConfig<BlockTile<64, 64, 8, 2, 2, 4>, A, Contiguous::mn, 1>;
template <Contiguous A>
using SmallWarpsByOne = FmaConfig<BlockTile<64, 64, 32, 2, 2, 4>, A, Contiguous::mn, 1>;
template <Contiguous A>
using FewRowsByOne = FmaConfig<BlockTile<32, 64, 16, 1, 2, 8>, A, Contiguous::mn, 1>;
template <Contiguous A>
using EightRowsByOne = FmaConfig<BlockTile<8, 128, 16, 1, 1, 12>, A, Contiguous::mn, 1>;

/// Carries the two last K tiles of A to shared memory, and hands on what is there. Then every thread reads its rows, as
/// the GEMM does.
template <class Config>
struct CarryTiles {
  struct Params {
    float const* a;
    float* tiles;         // (BLK_M,BLK_K,2)
    MatrixLayout layout;  // (M,K,L)
  };
  struct Shared {
    SharedArray<float, cosize_v<typename Config::SmemA>> a;
  };
  static constexpr char const* name = "CarryTiles";
  static constexpr int threads = Config::threads;

  TS_DEVICE void operator()(Shared& memory, Params const& p) const {
    using BlkM = typename Config::BlkM;
    using BlkK = typename Config::BlkK;
    auto mA = make_tensor(global(p.a), Config::layout_a(p.layout))(_, _, 0);  // (M,K)
    auto const copy_a = Config::CopyA::slice(thread_index());
    auto tAgA = copy_a.partition_S(local_tile(mA, Tile<BlkM, BlkK>{}, make_coord(0, _)));  // (CPY,CPY_M,CPY_K,k)
    // (CPY,CPY_M,CPY_K,k) -> (m,k)
    auto tAcA = copy_a.partition_S(local_tile(make_identity_tensor(mA.shape()), Tile<BlkM, BlkK>{}, make_coord(0, _)));
    auto sA = make_tensor(shared(memory.a, "sA"), typename Config::SmemA{});  // (BLK_M,BLK_K)
    auto tCsA = Config::Mma::slice(thread_index()).partition_A(sA);  // (MMA,MMA_M,BLK_K)
    auto rA = make_fragment_like<float>(tCsA(_, _, 0));  // (MMA,MMA_M)
    auto carried = carried_tile(typename Config::CopyA{}, tAgA(_, _, _, 0));
    for (auto& vector : carried.held) {
      for (float& element : vector) element = -1;
    }
    auto const last = size<3>(tAgA) - 1;
    for (int tile = 0; tile < 2; ++tile) {
      if (tile == 0) carried.fetch(within(tAcA(_, _, _, last), mA.shape()), tAgA(_, _, _, last));
      else carried.fetch_next(rows_within(tAcA(_, _, _, 0), mA.shape()), -std::int64_t(stride<3>(tAgA.layout())));
      sync_threads();  // all threads have read the tile before
      carried.land(copy_a.partition_D(sA));
      sync_threads();  // the tile is complete
      for (int k = 0; k < BlkK::value; ++k) {
        for (int m = thread_index(); m < BlkM::value; m += threads) {
          float value = 0;
          load<1>(sA.data() + sA.layout()(make_coord(m, k)), &value);
          store<1>(global(p.tiles) + (tile * int(size(sA)) + k * BlkM::value + m), &value);
        }
      }
      static_for<BlkK::value>([&](auto k) { copy(typename Config::Read{}, tCsA(_, _, k), rA); });
    }
  }
};

float element(std::int64_t m, std::int64_t k) { return float((m * 7 + k * 3) % 101 + 1); }

/// @param m, k  of a matrix whose first rows are one tile of M at most
template <class Config>
void check_carried(std::string const& target, std::int64_t m, std::int64_t k) {
  INFO(target << ", " << m << " x " << k << (Config::along_a == Contiguous::k ? " along K" : " along M"));
  RunOptions options;
  options.target = target;
  set_run_options(options);
  constexpr int blk_m = Config::BlkM::value, blk_k = Config::BlkK::value;
  bool const along_k = Config::along_a == Contiguous::k;
  auto const offset = [&](std::int64_t i, std::int64_t j) { return std::size_t(along_k ? i * k + j : j * m + i); };
  std::vector<float> a(std::size_t(m * k)), tiles(std::size_t(2 * blk_m * blk_k), -1);
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t j = 0; j < k; ++j) a[offset(i, j)] = element(i, j);
  }
  DeviceBuffer<float> device_a("A", m * k), device_tiles("tiles", std::int64_t(tiles.size()));
  device_a.upload(a.data(), m * k);
  auto const layout = MatrixLayout(make_shape(m, k, std::int64_t(1)),
                                   make_stride(along_k ? k : std::int64_t(1), along_k ? std::int64_t(1) : m, m * k));
  launch(CarryTiles<Config>{}, 1, typename CarryTiles<Config>::Params{device_a.data(), device_tiles.data(), layout});
  device_tiles.download(tiles.data(), std::int64_t(tiles.size()));
  auto const report = take_reports().at(0);
  for (auto const& hazard : report.hazards) UNSCOPED_INFO(hazard.kind << ": " << hazard.message);
  CHECK(report.hazards.empty());

  std::int64_t const last = (k + blk_k - 1) / blk_k - 1;
  int wrong = 0;
  for (int tile = 0; tile < 2; ++tile) {
    for (int j = 0; j < blk_k; ++j) {
      for (int i = 0; i < blk_m; ++i) {
        std::int64_t const at = (last - tile) * blk_k + j;
        if (tiles[std::size_t((tile * blk_k + j) * blk_m + i)] != (i < m && at < k ? element(i, at) : 0)) ++wrong;
      }
    }
  }
  CHECK(wrong == 0);
  CHECK(report.counters.shared_store_wavefronts == report.counters.shared_store_wavefronts_ideal);
  CHECK(report.counters.shared_load_wavefronts == report.counters.shared_load_wavefronts_ideal);
}

/// @param odd  what extents have beyond multiples of 4: nothing where copies read 4 elements at once
template <template <Contiguous> class Config>
void check_all_carried(std::int64_t rows, std::int64_t odd = 0) {
  for (char const* target : {"sm80", "gfx1100", "gfx1201"}) {
    for (std::int64_t m : {rows, rows - 4 + odd, 4 - odd}) {
      for (std::int64_t k : {64, 68, 76}) {
        check_carried<Config<Contiguous::k>>(target, m, k + odd);
        check_carried<Config<Contiguous::mn>>(target, m, k + odd);
      }
    }
  }
}

/// How often each element of the tile of C is some thread's, and whether the thread reads the rows and columns of its
/// sums.
template <class Config>
void check_shared_out() {
  constexpr int blk_m = Config::BlkM::value, blk_n = Config::BlkN::value;
  std::vector<int> owners(std::size_t(blk_m * blk_n));
  bool fits = true;
  for (int thread = 0; thread < Config::threads; ++thread) {
    auto const mma = Config::Mma::slice(thread);
    // (MMA,MMA_M,MMA_N) -> (m,n)
    auto const c = mma.partition_C(make_identity_tensor(make_shape(typename Config::BlkM{}, typename Config::BlkN{})));
    // (MMA,MMA_M,BLK_K) -> (m,k)
    auto const a = mma.partition_A(make_identity_tensor(make_shape(typename Config::BlkM{}, typename Config::BlkK{})));
    // (MMA,MMA_N,BLK_K) -> (n,k)
    auto const b = mma.partition_B(make_identity_tensor(make_shape(typename Config::BlkN{}, typename Config::BlkK{})));
    for (int i = 0; i < int(size<1>(c)); ++i) {
      for (int j = 0; j < int(size<2>(c)); ++j) {
        auto const [m, n] = c(0, i, j);
        ++owners[std::size_t(m * blk_n + n)];
        fits = fits && get<0>(a(0, i, 0)) == m && get<0>(b(0, j, 0)) == n && n - j % 4 == get<1>(c(0, i, j - j % 4));
      }
    }
  }
  CHECK(fits);
  CHECK(owners == std::vector<int>(owners.size(), 1));
}

}  // namespace

TEST_CASE("each sum of a tile is one thread's, which reads its row and column, and has its neighbours along N by fours",
          "[block][fma]") {
  check_shared_out<Large<Contiguous::k>>();
  check_shared_out<Small<Contiguous::k>>();
  check_shared_out<SmallWarps<Contiguous::k>>();
  check_shared_out<FewRows<Contiguous::k>>();
  check_shared_out<EightRows<Contiguous::k>>();
}

TEST_CASE("a carried tile lands as the threads read it, with zeros outside of the matrix; neither meets a bank twice",
          "[block][fma]") {
  check_all_carried<Large>(128);
  check_all_carried<Small>(64);
  check_all_carried<SmallWarps>(64);
  check_all_carried<FewRows>(32);
  check_all_carried<EightRows>(8);
}

TEST_CASE("a tile of any extents is carried element by element, and meets no bank twice either", "[block][fma]") {
  for (std::int64_t odd : {0, 1, 3}) {
    check_all_carried<LargeByOne>(128, odd);
    check_all_carried<SmallByOne>(64, odd);
    check_all_carried<SmallWarpsByOne>(64, odd);
    check_all_carried<FewRowsByOne>(32, odd);
    check_all_carried<EightRowsByOne>(8, odd);
  }
}
