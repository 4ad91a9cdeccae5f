// Grades the exercise: sums of tiles that TMA brings into the reader's ring, on sm90. Right under every
// schedule, without a hazard, with two more tiles in flight.

#include EXERCISE_HEADER

#include <tilestep/atom/tma.hpp>             // TmaCopy
#include <tilestep/backend/launch.hpp>       // launch, DeviceBuffer, take_reports
#include <tilestep/backend/pointer.hpp>      // global, shared
#include <tilestep/harness/graded.hpp>  // no_hazard
#include <tilestep/harness/tma_matrix.hpp>   // matrix_copy

#include <algorithm>  // std::min
#include <cstdio>     // messages
#include <vector>     // values

using namespace tilestep;

namespace {

using TileLayout =
    decltype(swizzled_tile<float, Major::k, TileSwizzle::bytes_128>(Shape<_8, _32>{}));  // (TILE_M,TILE_N)
using Tma = TmaCopy<SM90_TMA_LOAD, float, TileLayout>;
constexpr int rows = 8, columns = 32, tile_size = rows * columns;

struct Params {
  Tma tma;     ///< of the tiles, one below the other
  float* out;  ///< a sum of each thread, and of how many tiles too few had been issued
  int tiles;
};

/// out[t] = sum over tiles of (tile + 1) * (what one column has in every second row)
struct Sums {
  using Params = ::Params;
  static constexpr char const* name = "Sums";
  static constexpr char const* only_on = "sm90";
  static constexpr int threads = 64;
  struct Shared {
    alignas(1024) SharedArray<float, 3 * tile_size> ring;
    SharedArray<Mbarrier, 3> full, empty;
  };

  TS_DEVICE void operator()(Shared& memory, Params const& p) const {
    auto const full = shared(memory.full, "full"), empty = shared(memory.empty, "empty");
    auto const stage = [&](int tile) {                                              // tile -> (TILE_M,TILE_N)
      return make_tensor(shared(memory.ring, "ring") + tile % 3 * tile_size, TileLayout{});
    };
    if (thread_index() == 0) {
      for (int i = 0; i < 3; ++i) mbarrier_init(full + i, 1), mbarrier_init(empty + i, 2);
      fence_mbarrier_init();
    }
    sync_threads();
    auto const m = p.tma.get_tma_tensor(make_shape(p.tiles * rows, Int<columns>{}, _1{}));             // (M,N,L)
    auto const g = local_tile(m, Shape<Int<rows>, Int<columns>>{}, make_coord(_, _0{}, _0{}));  // (TILE_M,TILE_N,m)
    auto const copies = p.tma.slice();
    int sent = 0, late = 0;
    float sum = 0;
    add_all(
        p.tiles, full, empty,
        [&](int tile) {
          ++sent;
          mbarrier_arrive_expect(full + tile % 3, Tma::tile_bytes);
          copy(p.tma.with(full + tile % 3), copies.partition_S(g)(_, _, _, tile), copies.partition_D(stage(tile)));
        },
        [&](int tile) {
          if (thread_index() == 0 && sent < (tile + 3 < p.tiles ? tile + 3 : p.tiles)) ++late;
          auto const s = stage(tile);                                               // (TILE_M,TILE_N)
          for (int row = thread_index() / columns; row < rows; row += 2)
            sum = fma(float(s(row, thread_index() % columns)), float(tile + 1), sum);
        });
    global(p.out)[thread_index()] = sum;
    if (thread_index() == 0) global(p.out)[threads] = float(late);
  }
};

float value_at(int i) { return float(i * 7 % 11 - 5); }

/// 0 right, 1 wrong, 4 hazard.
int run(int tiles, Schedule schedule) {
  set_run_options({.target = "sm90", .schedule = schedule, .check = true, .workers = 0});
  int const count = tiles * tile_size;
  DeviceBuffer<float> in("in", count), out("out", Sums::threads + 1);
  std::vector<float> values, got(Sums::threads + 1);
  for (int i = 0; i < count; ++i) values.push_back(value_at(i));
  in.upload(values.data(), count);
  launch(Sums{}, 1, Params{matrix_copy<Tma>(in.data(), {columns, 1, 0}, tiles * rows, columns, 1), out.data(), tiles});
  if (!no_hazard(take_reports().at(0))) {
    std::printf("with %d tiles\n", tiles);
    return 4;
  }
  out.download(got.data(), Sums::threads + 1);
  for (int t = 0; t < Sums::threads; ++t) {
    float want = 0;
    for (int tile = 0; tile < tiles; ++tile) {
      for (int row = t / columns; row < rows; row += 2)
        want += float(tile + 1) * value_at(tile * tile_size + row * columns + t % columns);
    }
    if (!(got[std::size_t(t)] == want)) {
      std::printf("with %d tiles: sum %d is %g and should be %g\n", tiles, t, double(got[std::size_t(t)]),
                  double(want));
      return 1;
    }
  }
  if (got.back() != 0) {
    std::printf("right, but %g of %d tiles were added before the two after them had been issued\n",
                double(got.back()), tiles);
    return 1;
  }
  return 0;
}

}  // namespace

int main() {
  using Kind = Schedule::Kind;
  for (int const tiles : {10, 4, 3, 2, 1}) {
    for (Schedule const schedule :
         {Schedule{Kind::in_order, 0}, Schedule{Kind::reverse, 0}, Schedule{Kind::random, 5}}) {
      if (int const verdict = run(tiles, schedule); verdict != 0) return verdict;
    }
  }
  std::puts("right: the ring went around, and two tiles were in flight while one was added");
  return 0;
}
