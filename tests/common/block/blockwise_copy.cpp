// blockwise_copy: a tile from global to shared memory and back by all threads of a block, in vectors along either mode
// and in scalars.

#include <tilestep/backend/launch.hpp>     // launch
#include <tilestep/backend/runtime.hpp>    // DeviceBuffer, take_reports, set_run_options
#include <tilestep/block/gemm_config.hpp>  // blockwise_copy, GemmConfig

#include <catch2/catch_test_macros.hpp>  // CHECK

#include <string>  // messages
#include <vector>  // matrices

using namespace tilestep;

namespace {

/// In through shared memory to out. @tparam Wait  whether there is a barrier between the two copies
template <class Config, bool Wait>
struct ThroughShared {
  using T = typename Config::In;
  struct Params {
    T const* in;  // (BLK_M,BLK_K), as the configuration packs it
    T* out;       // the same
  };
  struct Shared {
    SharedArray<T, cosize_v<typename Config::SmemA>> a;
  };
  static constexpr char const* name = "ThroughShared";
  static constexpr int threads = Config::threads;

  TS_DEVICE void operator()(Shared& memory, Params const& p) const {
    auto gIn = make_tensor(global(p.in), typename Config::SmemA{});                      // (BLK_M,BLK_K)
    auto gOut = make_tensor(global(p.out), typename Config::SmemA{});                    // (BLK_M,BLK_K)
    auto sA = make_tensor(shared(memory.a, "sA"), typename Config::SmemA{});             // (BLK_M,BLK_K)
    blockwise_copy(typename Config::CopyA{}, thread_index(), gIn, sA);
    if constexpr (Wait) sync_threads();  // all threads wrote sA before any reads it
    // The threads in reverse order: each reads what another wrote.
    blockwise_copy(typename Config::CopyA{}, threads - 1 - thread_index(), sA, gOut);
  }
};

template <class T, Contiguous Along, int Vec>
using Config = GemmConfig<SM80_16x8x16_F32F16F16F32_TN, BlockTile<64, 64, 32, 2, 2>, T, Along, Along, Vec>;

template <class C, bool Wait = true>
KernelReport run() {
  using T = typename C::In;
  set_run_options({.target = "sm80", .schedule = {}, .check = true, .workers = 0});
  std::vector<T> in(64 * 32), out(64 * 32);
  for (int i = 0; i < 64 * 32; ++i) in[std::size_t(i)] = T(float(i % 2039));
  DeviceBuffer<T> device_in("in", 64 * 32), device_out("out", 64 * 32);
  device_in.upload(in.data(), 64 * 32);
  launch(ThroughShared<C, Wait>{}, 1, typename ThroughShared<C, Wait>::Params{device_in.data(), device_out.data()});
  device_out.download(out.data(), 64 * 32);
  int wrong = 0;
  for (int i = 0; i < 64 * 32; ++i) wrong += !(float(in[std::size_t(i)]) == float(out[std::size_t(i)]));
  auto report = take_reports().at(0);
  if (Wait) {
    CHECK(wrong == 0);
    CHECK(report.hazards.empty());
  }
  return report;
}

}  // namespace

TEST_CASE("blockwise_copy moves every element of a tile, along either mode", "[block]") {
  run<Config<half_t, Contiguous::k, 8>>();
  run<Config<half_t, Contiguous::mn, 8>>();
  run<Config<half_t, Contiguous::k, 2>>();
  run<Config<half_t, Contiguous::mn, 1>>();
  run<Config<float, Contiguous::k, 4>>();
}

TEST_CASE("blockwise_copy takes one request of a warp for 32 vectors", "[block]") {
  // 64 x 32 elements of 2 bytes, 512 bytes in each request.
  auto const vectors = run<Config<half_t, Contiguous::k, 8>>().counters;
  CHECK(vectors.global_load_requests == 8);
  CHECK(vectors.shared_store_requests == 8);
  CHECK(vectors.global_load_sectors == vectors.global_load_sectors_ideal);
  CHECK(run<Config<half_t, Contiguous::k, 1>>().counters.global_load_requests == 64);
}

TEST_CASE("blockwise_copy does not synchronise: reading without a barrier is a race", "[block]") {
  auto const report = run<Config<half_t, Contiguous::k, 8>, false>();
  CHECK(report.counters.barriers == 0);
  REQUIRE_FALSE(report.hazards.empty());
  CHECK((report.hazards.front().kind == "race" || report.hazards.front().kind == "uninitialised read"));
}
