// Grades the exercise: one ldmatrix with the reader's addresses, and what each lane receives.

#include EXERCISE_HEADER

#include <tilestep/atom/ldmatrix.hpp>   // SM75_U16x8_LDSM_T
#include <tilestep/backend/launch.hpp>  // launch, DeviceBuffer, take_reports
#include <tilestep/harness/graded.hpp>  // no_hazard

#include <cstdint>  // elements and registers
#include <vector>   // matrices

using namespace tilestep;

namespace {

struct Params {
  std::uint16_t const* b;
  std::uint32_t* received;
};

/// received (4,32): the registers of each lane.
struct OneLoad {
  using Params = ::Params;
  static constexpr char const* name = "OneLoad";
  static constexpr int threads = 32;
  struct Shared {
    SharedArray<std::uint16_t, 16 * Pitch::value> b;
  };
  TS_DEVICE void operator()(Shared& memory, Params const& p) const {
    auto const sB = shared(memory.b, "sB");
    for (int i = thread_index(); i < 256; i += threads) sB[i / 16 * Pitch::value + i % 16] = global(p.b)[i];
    sync_threads();  // all threads wrote sB before ldmatrix reads it
    std::uint32_t registers[4];
    CopyTraits<SM75_U16x8_LDSM_T>::load(sB + int(RowOfLane{}(thread_index())), registers);
    for (int i = 0; i < 4; ++i) global(p.received)[4 * thread_index() + i] = registers[i];
  }
};

/// 0 right, 1 wrong, 4 hazard.
int check() {
  std::vector<std::uint16_t> b;
  std::vector<std::uint32_t> received(128);
  for (int i = 0; i < 256; ++i) b.push_back(std::uint16_t(i));  // (k,n) holds 16 k + n
  DeviceBuffer<std::uint16_t> device_b("B", 256);
  DeviceBuffer<std::uint32_t> out("received", 128);
  device_b.upload(b.data(), 256);
  launch(OneLoad{}, 1, Params{device_b.data(), out.data()});
  out.download(received.data(), 128);
  if (!no_hazard(take_reports().at(0))) return 4;
  for (int i = 0; i < 256; ++i) {
    int const lane = i / 8, reg = i % 8 / 2, half = i % 2;
    int const k = reg % 2 * 8 + lane % 4 * 2 + half, n = reg / 2 * 8 + lane / 4;
    int const got = int(received[std::size_t(i / 2)] >> 16 * half & 0xffff);
    if (got == 16 * k + n) continue;
    std::printf("lane %d, %s half of register %d: B(%d,%d), and mma wants B(%d,%d)\n", lane,
                half == 0 ? "lower" : "upper", reg, got / 16, got % 16, k, n);
    return 1;
  }
  return 0;
}

}  // namespace

int main() {
  set_run_options({.target = "sm80", .schedule = {}, .check = true, .workers = 0});
  if (int const verdict = check(); verdict != 0) return verdict;
  std::puts("right: one ldmatrix feeds two matrix instructions");
  return 0;
}
