// Grades the exercise: asks the reader's layout for every element, then a warp moves a slice of sums from shared memory
// to C by it, 16 bytes at a time, and the virtual GPU counts what that took.

#include EXERCISE_HEADER

#include <tilestep/backend/launch.hpp>  // launch, DeviceBuffer, take_reports
#include <tilestep/block/copy.hpp>  // load_if, store_if
#include <tilestep/harness/graded.hpp>  // no_hazard
#include <tilestep/tensor.hpp>  // make_tensor

#include <cstdio>  // messages
#include <set>  // rows
#include <vector>  // matrices

using namespace tilestep;

namespace {

constexpr int rows = 8, columns = 64, lanes = 32, vec = 4, instructions = 4;

int place_of(int lane, int v, int r) { return int(StoresOfWarp{}(lane, v + vec * r)); }

/// 0, or 1 with a sentence: what the exercise wants of a layout.
int check_layout() {
  std::vector<int> owners(std::size_t(rows * columns), -1);
  for (int r = 0; r < instructions; ++r) {
    std::set<int> its_rows;
    for (int lane = 0; lane < lanes; ++lane) {
      int const first = place_of(lane, 0, r), m = first % rows, n = first / rows;
      its_rows.insert(m);
      if (n % vec != 0) {
        std::printf("lane %d, instruction %d: begins at C(%d,%d), and %d is no multiple of %d\n", lane, r, m, n, n,
                    vec);
        return 1;
      }
      for (int v = 0; v < vec; ++v) {
        int const place = place_of(lane, v, r);
        if (place != first + rows * v) {
          std::printf("lane %d, instruction %d: value %d is C(%d,%d) and should be C(%d,%d), the neighbour\n", lane, r,
                      v, place % rows, place / rows, m, n + v);
          return 1;
        }
        if (place < 0 || place >= rows * columns || owners[std::size_t(place)] != -1) {
          std::printf("lane %d, instruction %d: C(%d,%d) has an owner already, or does not exist\n", lane, r, m, n + v);
          return 1;
        }
        owners[std::size_t(place)] = lane;
      }
    }
    if (its_rows.size() != 2) {
      std::printf("instruction %d stores to %d rows and should store two whole ones\n", r, int(its_rows.size()));
      return 1;
    }
  }
  return 0;
}

/// One warp: the sums are written to shared memory row by row, and leave by the reader's layout.
struct Store {
  struct Params {
    float* c;
    std::int64_t row;  // elements from one row of C to the next
  };
  struct Shared {
    SharedArray<float, rows * columns> sums;
  };
  static constexpr char const* name = "Store";
  static constexpr int threads = lanes;

  TS_DEVICE void operator()(Shared& memory, Params const& p) const {
    auto const sums = shared(memory.sums, "sums");
    int const lane = int(thread_index());
    for (int i = lane; i < rows * columns; i += lanes) sums[i] = float(i);
    sync_threads();  // every sum is written before any is read
    for (int r = 0; r < instructions; ++r) {
      int const place = int(StoresOfWarp{}(lane, vec * r)), m = place % rows, n = place / rows;
      float values[vec]{};
      load_if<vec>(sums + (m * columns + n), values, true);
      store_if<vec>(global(p.c) + (m * p.row + n), values, true);
    }
  }
};

}  // namespace

int main() {
  set_run_options({.target = "sm80", .schedule = {}, .check = true, .workers = 0});
  if (int const verdict = check_layout(); verdict != 0) return verdict;
  constexpr int row = columns + 32;  // so that rows are not neighbours
  DeviceBuffer<float> device_c("C", rows * row);
  device_c.upload(std::vector<float>(std::size_t(rows * row), -1).data(), rows * row);
  launch(Store{}, 1, Store::Params{device_c.data(), row});
  std::vector<float> c(std::size_t(rows * row));
  device_c.download(c.data(), rows * row);

  auto const report = take_reports().at(0);
  if (!no_hazard(report)) return 4;
  for (int m = 0; m < rows; ++m) {
    for (int n = 0; n < row; ++n) {
      float const got = c[std::size_t(m * row + n)], want = n < columns ? float(m * columns + n) : -1;
      if (!(got == want)) {
        std::printf("C(%d,%d) is %g and should be %g\n", m, n, double(got), double(want));
        return 1;
      }
    }
  }
  if (report.counters.shared_load_wavefronts != report.counters.shared_load_wavefronts_ideal) {
    std::printf("the sums are right, but their reads take %d wavefronts of shared memory and should take %d\n",
                int(report.counters.shared_load_wavefronts), int(report.counters.shared_load_wavefronts_ideal));
    return 1;
  }
  std::puts("right: every sum is stored once, by 16 bytes, two whole rows in an instruction");
  return 0;
}
