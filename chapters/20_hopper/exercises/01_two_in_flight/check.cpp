// Grades the exercise: a block with a producer and two warpgroups computes several tiles of C with the reader's loop,
// and the virtual GPU watches the ring.

#include EXERCISE_HEADER

#include "tile_loads.hpp"  // tile_loads

#include <tilestep/algorithm/copy.hpp>    // copy
#include <tilestep/backend/launch.hpp>   // launch, DeviceBuffer, take_reports
#include <tilestep/block/schedule.hpp>   // TileSchedule
#include <tilestep/harness/graded.hpp>  // no_hazard
#include <tilestep/harness/tma_matrix.hpp>  // matrix_copy

#include <cstdio>  // messages
#include <vector>  // matrices

using namespace tilestep;

namespace {

template <int STAGES>
using Config = HopperConfig<bfloat16_t, 128, 64, STAGES, Variant{.roles = Roles::producer}>;

constexpr int tasks = 7, n = 64;  // tiles of C, one below the other

/// The chapter's kernel with the reader's loop, and with stores that need no explanation.
template <class Config>
struct Multiply {
  struct Params {
    OperandTiles<typename Config::TmaA> tiles_a;
    OperandTiles<typename Config::TmaB> tiles_b;
    float* c;
    TileSchedule schedule;
    int m, n, k_tiles;
  };
  struct Shared {
    RingMemory<Config> ring;
  };
  static constexpr char const* name = "Multiply";
  static constexpr char const* only_on = "sm90";
  static constexpr int threads = Config::threads;

  TS_DEVICE void operator()(Shared& memory, Params const& p) const {
    auto const ring = StageRing<Config>::of(memory.ring);
    ring.begin();
    if (warpgroup_index() < Config::consumers) {
      Products<Config> sums(warpgroup_index());
      RingPlace<Config::stages> at;
      for (int task = 0; task < tasks; ++task) {
        multiply_two_in_flight(sums, memory.ring, at, p.k_tiles);
        auto const mC = make_tensor(global(p.c), make_shape(p.m, Int<n>{}), make_stride(Int<n>{}, _1{}));  // (M,N)
        auto const gC = local_tile(mC, Tile<Int<Config::M>, Int<n>>{}, make_coord(task, _0{}));  // (BLK_M,BLK_N)
        auto const thr_mma = typename Products<Config>::Mma{}.slice(thread_index());
        copy(sums.tCrC, thr_mma.partition_C(gC));
      }
    } else if (thread_index() == Config::consumers * warpgroup_size) {
      RingPlace<Config::stages> at{0, 1};
      for (int task = 0; task < tasks; ++task) {
        auto const send = tile_loads<Config>(p, memory.ring, {task, 0, 0, 0, 0, p.k_tiles});
        for (int k = 0; k < p.k_tiles; ++k) {
          send(at, k);
          at.advance();
        }
      }
    }
  }
};

/// 0 right, 1 wrong, 4 hazard.
template <int STAGES>
int check(int k_tiles) {
  using Config = ::Config<STAGES>;
  int const m = tasks * Config::M, k = k_tiles * Config::K;
  std::vector<bfloat16_t> a, b;
  for (int i = 0; i < m * k; ++i) a.emplace_back(float((i * 7 + i / k * 3) % 9 - 4));
  for (int i = 0; i < n * k; ++i) b.emplace_back(float((i * 5 + i / k) % 7 - 3));
  DeviceBuffer<bfloat16_t> device_a("A", m * k), device_b("B", n * k);
  DeviceBuffer<float> device_c("C", m * n);
  device_a.upload(a.data(), m * k);
  device_b.upload(b.data(), n * k);
  // whole tiles alone
  auto const tma_a = matrix_copy<typename Config::TmaA>(device_a.data(), {k, 1, 0}, m, k, 1);
  auto const tma_b = matrix_copy<typename Config::TmaB>(device_b.data(), {k, 1, 0}, n, k, 1);
  typename Multiply<Config>::Params const params{
      .tiles_a = {tma_a, tma_a, tasks - 1, Config::M},
      .tiles_b = {tma_b, tma_b, 0, Config::N},
      .c = device_c.data(),
      .schedule = {},
      .m = m,
      .n = n,
      .k_tiles = k_tiles};
  launch(Multiply<Config>{}, 1, params);

  if (!no_hazard(take_reports().at(0))) {
    std::printf("%d stages, %d tiles along K\n", STAGES, k_tiles);
    return 4;
  }
  std::vector<float> c(std::size_t(m * n));
  device_c.download(c.data(), m * n);
  for (int i = 0; i < m * n; ++i) {
    float want = 0;
    for (int j = 0; j < k; ++j) want += float(a[std::size_t(i / n * k + j)]) * float(b[std::size_t(i % n * k + j)]);
    if (!(c[std::size_t(i)] == want)) {
      std::printf("%d stages, %d tiles along K: C(%d,%d) is %g and should be %g\n", STAGES, k_tiles, i / n, i % n,
                  double(c[std::size_t(i)]), double(want));
      return 1;
    }
  }
  return 0;
}

}  // namespace

int main() {
  for (Schedule const& schedule : {Schedule{Schedule::Kind::in_order, 0}, Schedule{Schedule::Kind::reverse, 0}}) {
    set_run_options({.target = "sm90", .schedule = schedule, .check = true, .workers = 0});
    for (int const k_tiles : {1, 2, 3, 8}) {
      for (int const verdict : {check<3>(k_tiles), check<4>(k_tiles)}) {
        if (verdict != 0) return verdict;
      }
    }
  }
  std::puts("right: every stage was released once, and none while its products were in flight");
  return 0;
}
