// Grades the exercise: a block of gfx950 writes the reader's tile as the chapter's kernel does and reads it as its
// matrix instructions do. Each element has a place of its own, nothing takes two turns, no byte is wasted.

#include EXERCISE_HEADER

#include <tilestep/backend/launch.hpp>   // launch, DeviceBuffer, take_reports
#include <tilestep/backend/pointer.hpp>  // global, shared, load, store
#include <tilestep/harness/graded.hpp>   // no_hazard, at_most

#include <algorithm>  // std::max
#include <cstdint>    // elements of 16 bits
#include <vector>     // matrices

using namespace tilestep;

namespace {

constexpr int rows = 256, cols = 32, vec = 8, elements = rows * cols;

struct Params {
  std::uint16_t const* in;
  std::uint16_t* out;
};

/// out = in, (256,32) row-major, through a tile in shared memory.
struct ThroughTheTile {
  using Params = ::Params;
  static constexpr char const* name = "ThroughTheTile";
  static constexpr int threads = 256;
  struct Shared {
    SharedArray<std::uint16_t, 2 * elements> tile;
  };
  TS_DEVICE void operator()(Shared& memory, Params const& p) const {
    auto const place = shared(memory.tile, "tile");
    SmemTile<rows> const tile{};
    std::uint16_t held[vec];
    for (int i = 0; i < 4; ++i) {  // four neighbouring threads have one row
      int const row = 64 * i + thread_index() / 4, k = thread_index() % 4 * vec;
      load<vec>(global(p.in) + (row * cols + k), held);
      store<vec>(place + int(tile(row, k)), held);
    }
    sync_threads();  // all threads wrote the tile before any reads it
    for (int i = 0; i < 4; ++i) {  // 32 lanes have 32 rows
      int const row = 32 * (warp_index() + i / 2 * 4) + lane_index() % 32, k = (lane_index() / 32 + i % 2 * 2) * vec;
      load<vec>(place + int(tile(row, k)), held);
      store<vec>(global(p.out) + (row * cols + k), held);
    }
  }
};

/// Whether each element has a place of its own, beside its neighbours of the same 16 bytes.
bool has_places() {
  SmemTile<rows> const tile{};
  std::vector<int> owner(2 * elements, -1);
  for (int i = 0; i < elements; ++i) {
    int const row = i / cols, k = i % cols, offset = int(tile(row, k));
    if (offset < 0 || offset >= 2 * elements) {
      std::printf("(%d,%d) has offset %d: the tile has %d elements\n", row, k, offset, elements);
      return false;
    }
    if (int const other = owner[std::size_t(offset)]; other >= 0) {
      std::printf("(%d,%d) and (%d,%d) share offset %d\n", other / cols, other % cols, row, k, offset);
      return false;
    }
    if (k % vec != 0 && offset != int(tile(row, k - 1)) + 1) {
      std::printf("(%d,%d) does not lie behind (%d,%d): a vector has both\n", row, k, row, k - 1);
      return false;
    }
    owner[std::size_t(offset)] = i;
  }
  return true;
}

/// 0 right, 1 wrong, 4 hazard.
int check() {
  if (!has_places()) return 1;
  std::vector<std::uint16_t> values, got(elements);
  for (int i = 0; i < elements; ++i) values.push_back(std::uint16_t(i));
  DeviceBuffer<std::uint16_t> in("in", elements), out("out", elements);
  in.upload(values.data(), elements);
  launch(ThroughTheTile{}, 1, Params{in.data(), out.data()});
  out.download(got.data(), elements);

  auto const report = take_reports().at(0);
  if (!no_hazard(report)) return 4;
  for (int i = 0; i < elements; ++i) {
    if (!right_element("out", i / cols, i % cols, got[std::size_t(i)], values[std::size_t(i)])) return 1;
  }
  auto const& counted = report.counters;
  bool const reads = at_most("right, but wavefronts that read the tile", counted.shared_load_wavefronts,
                             counted.shared_load_wavefronts_ideal);
  bool const writes = at_most("right, but wavefronts that write the tile", counted.shared_store_wavefronts,
                              counted.shared_store_wavefronts_ideal);
  int last = 0;
  for (int i = 0; i < elements; ++i) last = std::max(last, int(SmemTile<rows>{}(i / cols, i % cols)));
  bool const small = at_most("right, but elements of shared memory", last + 1, elements);
  return reads && writes && small ? 0 : 1;
}

}  // namespace

int main() {
  set_run_options({.target = "gfx950", .schedule = {}, .check = true, .workers = 0});
  if (int const verdict = check(); verdict != 0) return verdict;
  std::puts("right: 64 banks, and no two lanes meet in one");
  return 0;
}
