// Grades the exercise: one warpgroup stores six slabs of numbers by the reader's function, on sm90, under two
// schedules.

#include EXERCISE_HEADER

#include <tilestep/atom/tma.hpp>            // TmaCopy
#include <tilestep/backend/launch.hpp>      // launch, DeviceBuffer, take_reports
#include <tilestep/harness/graded.hpp>      // no_hazard, right_element, at_most
#include <tilestep/harness/tma_matrix.hpp>  // matrix_copy

#include <cstdio>  // messages
#include <vector>  // matrices

using namespace tilestep;

namespace {

using SlabLayout =
    decltype(swizzled_tile<float, Major::k, TileSwizzle::bytes_128>(Shape<_64, _32>{}));  // (SLAB_M,SLAB_N)
using Tma = TmaCopy<SM90_TMA_STORE, float, SlabLayout>;
constexpr int rows = 64, columns = 32, most = 6, slab_size = rows * columns;

/// Slab s is columns 32 s .. 32 s + 31 of C.
struct Store {
  struct Params {
    Tma tma;
    int slabs;
  };
  struct Shared {
    alignas(1024) SharedArray<float, 2 * slab_size> buffers;
  };
  static constexpr char const* name = "Store";
  static constexpr char const* only_on = "sm90";
  static constexpr int threads = 128;
  TS_DEVICE void operator()(Shared& memory, Params const& p) const {
    auto const buffer_of = [&](int buffer) {                                        // buffer -> (SLAB_M,SLAB_N)
      return make_tensor(shared(memory.buffers, "sC") + buffer * slab_size, SlabLayout{});
    };
    auto const m = p.tma.get_tma_tensor(make_shape(Int<rows>{}, p.slabs * columns, _1{}));            // (M,N,L)
    store_slabs(
        p.slabs,
        [&](int slab, int buffer) {
          auto sC = buffer_of(buffer);                                              // (SLAB_M,SLAB_N)
          for (int i = thread_index(); i < slab_size; i += threads)
            sC(i / columns, i % columns) = float(i / columns * 1000 + slab * columns + i % columns);
        },
        [&](int slab, int buffer) {
          auto const gC = local_tile(m, Shape<Int<rows>, Int<columns>>{}, make_coord(_0{}, slab, _0{}));
          copy(p.tma.with(), p.tma.slice().partition_S(buffer_of(buffer)), p.tma.slice().partition_D(gC));
        });
  }
};

/// 0 right, 1 wrong, 4 hazard.
int check(int slabs, Schedule schedule) {
  set_run_options({.target = "sm90", .schedule = schedule, .check = true, .workers = 0});
  int const n = slabs * columns;
  DeviceBuffer<float> device_c("C", rows * n);
  std::vector<float> c(std::size_t(rows * n), -1);
  device_c.upload(c.data(), rows * n);
  launch(Store{}, 1, Store::Params{matrix_copy<Tma>(device_c.data(), {n, 1, 0}, rows, n, 1), slabs});
  auto const report = take_reports().at(0);
  if (!no_hazard(report)) {
    std::printf("with %d slabs\n", slabs);
    return 4;
  }
  device_c.download(c.data(), rows * n);
  for (int i = 0; i < rows * n; ++i) {
    if (!right_element("C", i / n, i % n, double(c[std::size_t(i)]), double(i / n * 1000 + i % n))) return 1;
  }
  return at_most("store requests", report.counters.global_store_requests, slabs) ? 0 : 1;
}

}  // namespace

int main() {
  for (int const slabs : {1, 2, 3, most}) {
    for (auto const kind : {Schedule::Kind::in_order, Schedule::Kind::reverse}) {
      if (int const verdict = check(slabs, {kind, 0}); verdict != 0) return verdict;
    }
  }
  std::puts("right: every slab was complete when it was sent, and read when its buffer was written again");
  return 0;
}
