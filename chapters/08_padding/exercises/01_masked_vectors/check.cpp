// Grades the exercise: tiles of a matrix whose rows end anywhere, copied to shared memory by the reader's copy.

#include EXERCISE_HEADER

#include <tilestep/backend/launch.hpp>  // launch, DeviceBuffer, take_reports
#include <tilestep/harness/graded.hpp>  // no_hazard, right_element, at_most

#include <limits>  // NaN
#include <vector>  // matrices

using namespace tilestep;

namespace {

struct Params {
  half_t const* in;  // rows of `pitch` elements
  half_t* out;       // whole tiles
  int rows, cols, pitch;
};

/// out = in, zeros where in has no element. A block copies one tile of 32 x 32: 32 x 4 threads, 8 elements each.
template <class Operation>
struct CopyTiles {
  using Params = ::Params;
  static constexpr char const* name = "CopyTiles";
  static constexpr int threads = 128;
  struct Shared {
    SharedArray<half_t, 32 * 32> tile;
  };
  using Copy = decltype(make_tiled_copy(CopyAtom<Operation, half_t>{}, Layout<Shape<_32, _4>, Stride<_4, _1>>{},
                                        Layout<Shape<_1, _8>>{}));

  TS_DEVICE void operator()(Shared& memory, Params const& p) const {
    int const tiles_k = (p.cols + 31) / 32;
    auto const coord = make_coord(int(block_index()) / tiles_k, int(block_index()) % tiles_k);
    auto mIn  = make_tensor(global(p.in), make_shape(p.rows, p.cols), make_stride(p.pitch, _1{}));  // (M,K)
    auto gIn  = local_tile(mIn, Tile<_32, _32>{}, coord);                                           // (32,32)
    auto cIn  = local_tile(make_identity_tensor(mIn.shape()), Tile<_32, _32>{}, coord);             // (32,32) -> (m,k)
    auto sIn  = make_tensor(shared(memory.tile, "tile"), Layout<Shape<_32, _32>, Stride<_32, _1>>{});  // (32,32)
    auto const mine = Copy::slice(thread_index());
    copy_if(Copy{}, within(mine.partition_S(cIn), mIn.shape()), mine.partition_S(gIn), mine.partition_D(sIn));
    sync_threads();  // all threads wrote the tile before any reads it
    auto const out = global(p.out) + block_index() * 1024;
    for (int i = thread_index(); i < 1024; i += threads) out[i] = sIn(i / 32, i % 32);
  }
};

/// 0 right, 1 wrong, 4 hazard; the load requests of the launch.
template <class Operation>
int run(int rows, int cols, int pitch, int exist, std::int64_t& loads) {
  int const tiles_k = (cols + 31) / 32, blocks = (rows + 31) / 32 * tiles_k;
  std::vector<half_t> in, got(std::size_t(blocks * 1024));
  for (int i = 0; i < rows * pitch; ++i)
    in.push_back(half_t(i % pitch < exist ? float(i % 2039 + 1) : std::numeric_limits<float>::quiet_NaN()));
  DeviceBuffer<half_t> device_in("in", rows * pitch), device_out("out", blocks * 1024);
  device_in.upload(in.data(), rows * pitch);
  launch(CopyTiles<Operation>{}, blocks, Params{device_in.data(), device_out.data(), rows, cols, pitch});
  device_out.download(got.data(), blocks * 1024);
  auto const report = take_reports().at(0);
  loads = report.counters.global_load_requests;
  if (!no_hazard(report)) return 4;
  for (int i = 0; i < blocks * 1024; ++i) {
    int const m = i / 1024 / tiles_k * 32 + i % 1024 / 32, k = i / 1024 % tiles_k * 32 + i % 32;
    double const want = m < rows && k < cols && k < exist ? (m * pitch + k) % 2039 + 1 : 0;
    if (right_element("A", m, k, float(got[std::size_t(i)]), want)) continue;
    std::printf("  of %d rows of %d elements, %d elements apart\n", rows, cols, pitch);
    return 1;
  }
  return 0;
}

/// Right, and in as many loads as whole vectors take.
int check(int rows, int cols) {
  int const pitch = (cols + 7) / 8 * 8;
  std::int64_t loads = 0, enough = 0;
  if (int const verdict = run<MaskedCopy<128>>(rows, cols, pitch, cols, loads); verdict != 0) return verdict;
  if (int const verdict = run<ZeroFillCopy<128>>(rows, pitch, pitch, pitch, enough); verdict != 0) return verdict;
  return at_most("right, but load requests", loads, enough) ? 0 : 1;
}

}  // namespace

int main() {
  set_run_options({.target = "sm80", .schedule = {}, .check = true, .workers = 0});
  for (int const cols : {67, 32, 1, 71, 33}) {
    if (int const verdict = check(45, cols); verdict != 0) return verdict;
  }
  std::puts("right: whole vectors, and zeros where a row has ended");
  return 0;
}
