// Tiles copied asynchronously, by atoms: into swizzled shared memory, zeros where the predicate says so, and what
// happens without a wait.

#include <tilestep/backend/launch.hpp>     // launch
#include <tilestep/backend/runtime.hpp>    // DeviceBuffer, take_reports, set_run_options
#include <tilestep/block/gemm_config.hpp>  // copies, shared_tile

#include <catch2/catch_test_macros.hpp>  // CHECK

#include <vector>  // matrices

using namespace tilestep;

namespace {

/// A tile of (64,32) through shared memory, its rows below `rows` alone. @tparam Wait  whether each thread waits for
/// its copies
template <Arrangement Arranged, bool Wait>
struct AsyncThroughShared {
  struct Params {
    half_t const* in;  // (64,32), K contiguous
    half_t* out;       // the same
    int rows;
  };
  using Plain = Layout<Shape<_64, _32>, Stride<_32, _1>>;
  using Smem = decltype(detail::shared_tile<Arranged, Contiguous::k, half_t, 64, 32>());
  struct Shared {
    SharedArray<half_t, cosize_v<Smem>> tile;
  };
  static constexpr char const* name = "AsyncThroughShared";
  static constexpr int threads = 128;

  TS_DEVICE void operator()(Shared& memory, Params const& p) const {
    auto const tiled = make_tiled_copy(CopyAtom<SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>, half_t>{},
                                       Layout<Shape<_32, _4>, Stride<_4, _1>>{}, Layout<Shape<_1, _8>>{});
    auto const back = make_tiled_copy(CopyAtom<UniversalCopy<uint128_t>, half_t>{},
                                      Layout<Shape<_32, _4>, Stride<_4, _1>>{}, Layout<Shape<_1, _8>>{});
    auto gIn = make_tensor(global(p.in), Plain{});                                       // (64,32)
    auto gOut = make_tensor(global(p.out), Plain{});                                     // (64,32)
    auto sTile = make_tensor(shared(memory.tile, "tile"), Smem{});                       // (64,32)
    auto const mine = tiled.slice(thread_index());
    auto const coords = mine.partition_S(make_identity_tensor(Plain{}.shape()));         // (CPY,CPY_M,CPY_K) -> (m,k)
    copy_if(tiled, rows_within(coords, make_shape(p.rows, 32)), mine.partition_S(gIn), mine.partition_D(sTile));
    async_commit();
    if constexpr (Wait) async_wait<0>();
    sync_threads();  // all threads' copies have landed before any reads them
    blockwise_copy(back, threads - 1 - thread_index(), sTile, gOut);
  }
};

template <Arrangement Arranged, bool Wait>
KernelReport run(int rows) {
  set_run_options({.target = "sm80", .schedule = {}, .check = true, .workers = 0});
  std::vector<half_t> in(64 * 32), out(64 * 32);
  for (int i = 0; i < 64 * 32; ++i) in[std::size_t(i)] = half_t(float(i % 2039));
  DeviceBuffer<half_t> device_in("in", 64 * 32), device_out("out", 64 * 32);
  device_in.upload(in.data(), rows * 32);  // what lies below is uninitialised: reading it is a hazard
  launch(AsyncThroughShared<Arranged, Wait>{}, 1,
         typename AsyncThroughShared<Arranged, Wait>::Params{device_in.data(), device_out.data(), rows});
  device_out.download(out.data(), 64 * 32);
  auto report = take_reports().at(0);
  if (Wait) {
    int wrong = 0;
    for (int i = 0; i < 64 * 32; ++i)
      wrong += !(float(out[std::size_t(i)]) == (i / 32 < rows ? float(in[std::size_t(i)]) : 0.0f));
    CHECK(wrong == 0);
    CHECK(report.hazards.empty());
  }
  return report;
}

}  // namespace

TEST_CASE("a tile copied asynchronously arrives, with zeros below its last row", "[block]") {
  for (int const rows : {64, 63, 17, 1, 0}) {
    run<Arrangement::packed, true>(rows);
    run<Arrangement::padded, true>(rows);
    run<Arrangement::swizzled, true>(rows);
  }
}

TEST_CASE("a tile copied asynchronously is in flight until its thread waits", "[block]") {
  auto const report = run<Arrangement::swizzled, false>(64);
  REQUIRE_FALSE(report.hazards.empty());
  CHECK(report.hazards.front().kind == "copy in flight");
}

TEST_CASE("swizzled tiles are written without bank conflicts", "[block]") {
  auto const counters = run<Arrangement::swizzled, true>(64).counters;
  CHECK(counters.shared_store_wavefronts == counters.shared_store_wavefronts_ideal);
  CHECK(counters.shared_load_wavefronts == counters.shared_load_wavefronts_ideal);
}
