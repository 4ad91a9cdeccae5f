// Grades the exercise: sums of the columns of matrices whose last box is whole or ragged, on sm90.

#include EXERCISE_HEADER

#include <tilestep/atom/tma.hpp>            // TmaCopy
#include <tilestep/backend/launch.hpp>      // launch, DeviceBuffer, take_reports
#include <tilestep/harness/graded.hpp>      // no_hazard, right_element
#include <tilestep/harness/tma_matrix.hpp>  // matrix_copy

#include <cstdio>  // messages
#include <vector>  // values

using namespace tilestep;

namespace {

using BoxLayout =
    decltype(swizzled_tile<float, Major::k, TileSwizzle::bytes_128>(Shape<_8, _32>{}));  // (BOX_M,BOX_N)
using Tma = TmaCopy<SM90_TMA_LOAD, float, BoxLayout>;
constexpr int columns = 32, threads = 64;

/// out[t] = sum of column t % 32 over every second row
struct ColumnSums {
  struct Params {
    Tma tma;
    float* out;
    int rows;
  };
  struct Shared {
    alignas(1024) SharedArray<float, 8 * columns> box;
    SharedArray<Mbarrier, 1> full;
  };
  static constexpr char const* name = "ColumnSums";
  static constexpr char const* only_on = "sm90";
  static constexpr int threads = ::threads;
  TS_DEVICE void operator()(Shared& memory, Params const& p) const {
    auto const full = shared(memory.full, "full");
    auto const s = make_tensor(shared(memory.box, "box"), BoxLayout{});                         // (BOX_M,BOX_N)
    auto const m = p.tma.get_tma_tensor(make_shape(p.rows, Int<columns>{}, _1{}));              // (M,N,L)
    auto const g = local_tile(m, Shape<_8, Int<columns>>{}, make_coord(_, _0{}, _0{}));         // (BOX_M,BOX_N,m)
    auto const copies = p.tma.slice();
    float sum = 0;
    add_boxes(
        p.rows, full,
        [&](int box) { copy(p.tma.with(full), copies.partition_S(g)(_, _, _, box), copies.partition_D(s)); },
        [&](int) {
          for (int row = thread_index() / columns; row < 8; row += 2) sum += float(s(row, thread_index() % columns));
        });
    global(p.out)[thread_index()] = sum;
  }
};

float value_at(int i) { return float(i * 7 % 11 - 5); }

/// 0 right, 1 wrong, 4 hazard.
int check(int rows, Schedule schedule) {
  set_run_options({.target = "sm90", .schedule = schedule, .check = true, .workers = 0});
  DeviceBuffer<float> in("in", rows * columns), out("out", threads);
  std::vector<float> values, got(threads);
  for (int i = 0; i < rows * columns; ++i) values.push_back(value_at(i));
  in.upload(values.data(), rows * columns);
  launch(ColumnSums{}, 1,
         ColumnSums::Params{matrix_copy<Tma>(in.data(), {columns, 1, 0}, rows, columns, 1), out.data(), rows});
  if (!no_hazard(take_reports().at(0))) {
    std::printf("with %d rows\n", rows);
    return 4;
  }
  out.download(got.data(), threads);
  for (int t = 0; t < threads; ++t) {
    float want = 0;
    for (int row = t / columns; row < rows; row += 2) want += value_at(row * columns + t % columns);
    if (!right_element("sum", rows, t, double(got[std::size_t(t)]), double(want))) return 1;
  }
  return 0;
}

}  // namespace

int main() {
  for (int const rows : {32, 20, 8, 1}) {
    for (auto const kind : {Schedule::Kind::in_order, Schedule::Kind::reverse}) {
      if (int const verdict = check(rows, {kind, 0}); verdict != 0) return verdict;
    }
  }
  std::puts("right: every box landed whole, the ragged one filled with zeros");
  return 0;
}
