// Grades the exercise: the reader's threads and values make a TiledCopy, which brings one tile into shared memory. The
// tile must be right, in the fewest requests and sectors.

#include EXERCISE_HEADER

#include <tilestep/block.hpp>           // make_tiled_copy, blockwise_copy
#include <tilestep/backend/launch.hpp>  // launch, DeviceBuffer, take_reports
#include <tilestep/harness/graded.hpp>  // no_hazard, right_element, at_most

#include <cstdio>  // messages
#include <vector>  // matrices

using namespace tilestep;

namespace {

/// One tile of B into shared memory, and from there to `out`, element after element.
template <class Answer>
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
    using Atom = CopyAtom<CopyBits<int(size_v<typename Answer::Values>) * 16>, half_t>;
    auto const copy = make_tiled_copy(Atom{}, typename Answer::Threads{}, typename Answer::Values{});
    blockwise_copy(copy, thread_index(), gB, sB);
    sync_threads();  // all threads wrote sB before any reads it
    for (int i = thread_index(); i < 64 * 32; i += threads) out(i % 64, i / 64) = sB(i % 64, i / 64);
  }
};

/// 0 right, 1 wrong, 4 hazard.
template <class Answer>
int check(Answer) {
  static_assert(size_v<typename Answer::Threads> == 128, "the tile is copied by 128 threads: let THR_N x THR_K be 128");
  std::vector<half_t> b(64 * 32), got(64 * 32);
  for (int i = 0; i < 64 * 32; ++i) b[std::size_t(i)] = half_t(float(i));
  DeviceBuffer<half_t> device_b("B", 64 * 32), device_out("out", 64 * 32);
  device_b.upload(b.data(), 64 * 32);
  launch(CopyTile<Answer>{}, 1, typename CopyTile<Answer>::Params{device_b.data(), device_out.data()});
  device_out.download(got.data(), 64 * 32);

  auto const report = take_reports().at(0);
  if (!no_hazard(report)) return 4;
  for (int i = 0; i < 64 * 32; ++i) {
    if (!right_element("B", i % 64, i / 64, float(got[std::size_t(i)]), float(b[std::size_t(i)]))) return 1;
  }
  // 4,096 bytes: 512 in a request, 32 in a sector
  bool const requests = at_most("right, but load requests", report.counters.global_load_requests, 8);
  bool const sectors = at_most("right, but sectors loaded", report.counters.global_load_sectors, 128);
  return requests && sectors ? 0 : 1;
}

/// A file with several answers has a function of this name that grades one of them.
template <class Answer, class Grade>
int grade_answer(Answer answer, Grade grade) {
  return grade(answer);
}

}  // namespace

int main() {
  set_run_options({.target = "sm80", .schedule = {}, .check = true, .workers = 0});
  int const verdict = grade_answer(MyCopy{}, [](auto answer) { return check(answer); });
  if (verdict != 0) return verdict;
  std::puts("right: every thread copies 16 bytes, and a warp whole sectors");
  return 0;
}
