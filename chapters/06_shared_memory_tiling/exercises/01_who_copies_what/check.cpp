// Grades the exercise: the reader's threads and values make a TiledCopy, which brings one tile into shared memory. The
// tile must be right, in the fewest requests and sectors.

#include EXERCISE_HEADER

#include <tilestep/block.hpp>           // make_tiled_copy, blockwise_copy
#include <tilestep/backend/launch.hpp>  // launch, DeviceBuffer, take_reports

#include <cstdio>  // messages
#include <vector>  // matrices

using namespace tilestep;

namespace {

/// One tile of B into shared memory, and from there to `out`, element after element.
struct CopyTile {
  struct Params {
    half_t const* b;
    half_t* out;
  };
  struct Shared {
    SharedArray<half_t, 64 * 32> b;
  };
  static constexpr char const* name = "CopyTile";
  static constexpr int threads = 128;

  TS_DEVICE void operator()(Shared& memory, Params const& p) const {
    using TileOfB = Layout<Shape<_64, _32>, Stride<_1, _64>>;
    auto gB = make_tensor(global(p.b), TileOfB{});                  // (n,k)
    auto sB = make_tensor(shared(memory.b, "sB"), TileOfB{});       // (n,k)
    auto out = make_tensor(global(p.out), TileOfB{});               // (n,k)
    using Atom = CopyAtom<CopyBits<int(size_v<Values>) * 16>, half_t>;
    blockwise_copy(make_tiled_copy(Atom{}, Threads{}, Values{}), thread_index(), gB, sB);
    sync_threads();  // all threads wrote sB before any reads it
    for (int i = thread_index(); i < 64 * 32; i += threads) out(i % 64, i / 64) = sB(i % 64, i / 64);
  }
};

/// 0 right, 1 wrong, 4 hazard.
int check() {
  static_assert(size_v<Threads> == 128, "the tile is copied by 128 threads: let THR_N x THR_K be 128");
  std::vector<half_t> b(64 * 32), got(64 * 32);
  for (int i = 0; i < 64 * 32; ++i) b[std::size_t(i)] = half_t(float(i));
  DeviceBuffer<half_t> device_b("B", 64 * 32), device_out("out", 64 * 32);
  device_b.upload(b.data(), 64 * 32);
  launch(CopyTile{}, 1, CopyTile::Params{device_b.data(), device_out.data()});
  device_out.download(got.data(), 64 * 32);

  auto const report = take_reports().at(0);
  for (auto const& hazard : report.hazards) std::printf("%s: %s\n", hazard.kind.c_str(), hazard.message.c_str());
  if (!report.hazards.empty()) return 4;
  for (int i = 0; i < 64 * 32; ++i) {
    if (!(float(got[std::size_t(i)]) == float(b[std::size_t(i)]))) {
      std::printf("element (%d,%d) of the tile is wrong\n", i % 64, i / 64);
      return 1;
    }
  }
  // 4,096 bytes: 512 in a request, 32 in a sector
  auto const more = [](char const* what, std::int64_t count, std::int64_t fewest) {
    if (count > fewest)
      std::printf("right, but in %lld %s where %lld are enough\n", static_cast<long long>(count), what,
                  static_cast<long long>(fewest));
    return count > fewest;
  };
  bool const requests = more("load requests", report.counters.global_load_requests, 8);
  bool const sectors = more("sectors", report.counters.global_load_sectors, 128);
  return requests || sectors ? 1 : 0;
}

}  // namespace

int main() {
  set_run_options({.target = "sm80", .schedule = {}, .check = true, .workers = 0});
  if (int const verdict = check(); verdict != 0) return verdict;
  std::puts("right: every thread copies 16 bytes, and a warp whole sectors");
  return 0;
}
