// Grades the exercise: one ldmatrix.x4 at each pitch, and the wavefronts that the virtual GPU counts.

#include EXERCISE_HEADER

#include <tilestep/atom/ldmatrix.hpp>   // SM75_U32x4_LDSM_N
#include <tilestep/backend/launch.hpp>  // launch, take_reports
#include <tilestep/harness/graded.hpp>  // no_hazard, predicted

#include <cstdint>  // elements and registers
#include <string>   // messages

using namespace tilestep;

namespace {

struct Params {
  int pitch;
};

/// A of one mma.m16n8k16: m 0-7 and m 8-15 of k 0-7, then the same of k 8-15.
struct OneLoad {
  using Params = ::Params;
  static constexpr char const* name = "OneLoad";
  static constexpr int threads = 32;
  struct Shared {
    SharedArray<std::uint16_t, 16 * 64> tile;
  };
  TS_DEVICE void operator()(Shared& memory, Params const& p) const {
    auto const tile = shared(memory.tile, "tile");
    for (int i = thread_index(); i < 16 * 64; i += threads) tile[i] = std::uint16_t(i);
    sync_threads();  // all threads wrote the tile before ldmatrix reads it
    std::uint32_t registers[4];
    CopyTraits<SM75_U32x4_LDSM_N>::load(tile + (lane_index() % 16 * p.pitch + lane_index() / 16 * 8), registers);
  }
};

}  // namespace

int main() {
  set_run_options({.target = "sm80", .schedule = {}, .check = true, .workers = 0});
  bool right = true;
  for (int i = 0; i < 4; ++i) {
    launch(OneLoad{}, 1, Params{pitches[i]});
    auto const report = take_reports().at(0);
    if (!no_hazard(report)) return 4;
    std::string const what = "wavefronts with rows of " + std::to_string(pitches[i]) + " elements";
    right &= predicted(what.c_str(), wavefronts[i], report.counters.shared_load_wavefronts);
  }
  if (right) std::puts("right: the banks decide, not the bytes");
  return right ? 0 : 1;
}
