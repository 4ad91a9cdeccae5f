// Grades the exercise: one block computes a tile of C with eight tiles along K by the reader's function, under three
// schedules; then its barriers, banks and stores are counted.

#include EXERCISE_HEADER

#include <tilestep/atom.hpp>               // the instruction
#include <tilestep/backend/launch.hpp>     // launch, DeviceBuffer, take_reports
#include <tilestep/block/gemm_params.hpp>  // MatrixLayout
#include <tilestep/harness/graded.hpp>     // no_hazard, right_element, at_most

#include <cstdio>  // messages
#include <vector>  // matrices

using namespace tilestep;

namespace {

struct Config : GemmConfig<SM80_16x8x16_F32F16F16F32_TN, BlockTile<32, 32, 32, 2, 2>, half_t, Contiguous::k,
                           Contiguous::k, 8, Arrangement::swizzled> {
  static constexpr int stages = 2;
};

constexpr int m = 32, n = 32, k_tiles = 8, k = 32 * k_tiles;
constexpr float alpha = 0.5f;

struct Multiply {
  struct Params {
    half_t const* a;
    half_t const* b;
    Epilogue<float, half_t, MatrixLayout> epilogue;
  };
  using Shared = TileMemory<Config>;
  static constexpr char const* name = "Multiply";
  static constexpr int threads = Config::threads;
  TS_DEVICE void operator()(Shared& memory, Params const& p) const {
    auto const tiles_of = [](half_t const* data) {                              // (BLK,BLK_K,k)
      return make_tensor(global(data), Layout<Shape<_32, _32, Int<k_tiles>>, Stride<Int<k>, _1, _32>>{});
    };
    gemm_tile<Config>(memory, tiles_of(p.a), tiles_of(p.b), p.epilogue);
  }
};

float a_at(int i) { return float((i * 7 + i / k * 3) % 9 - 4); }
float b_at(int i) { return float((i * 5 + i / k) % 7 - 3); }

/// 0 right, 1 wrong, 4 hazard.
int check(Schedule schedule) {
  set_run_options({.target = "sm80", .schedule = schedule, .check = true, .workers = 0});
  std::vector<half_t> a, b;
  for (int i = 0; i < m * k; ++i) a.emplace_back(a_at(i));
  for (int i = 0; i < n * k; ++i) b.emplace_back(b_at(i));
  std::vector<float> c(std::size_t(m * n), -99);
  DeviceBuffer<half_t> device_a("A", m * k), device_b("B", n * k);
  DeviceBuffer<float> device_c("C", m * n);
  device_a.upload(a.data(), m * k);
  device_b.upload(b.data(), n * k);
  device_c.upload(c.data(), m * n);
  Multiply::Params p{device_a.data(), device_b.data(), {}};
  p.epilogue.c = device_c.data();
  p.epilogue.layout_c = MatrixLayout(make_shape(std::int64_t(m), std::int64_t(n), std::int64_t(1)),
                                     make_stride(std::int64_t(n), std::int64_t(1), std::int64_t(m * n)));
  p.epilogue.wide = p.epilogue.plain = true;
  p.epilogue.alpha = alpha;
  launch(Multiply{}, 1, p);
  device_c.download(c.data(), m * n);

  auto const report = take_reports().at(0);
  if (!no_hazard(report)) return 4;
  for (int i = 0; i < m * n; ++i) {
    float sum = 0;
    for (int j = 0; j < k; ++j) sum += a_at(i / n * k + j) * b_at(i % n * k + j);
    if (!right_element("C", i / n, i % n, double(c[std::size_t(i)]), double(alpha * sum))) return 1;
  }
  Counters const& counted = report.counters;
  bool const fast = at_most("barriers", counted.barriers, k_tiles + 2) &&
                    at_most("reads of shared memory that meet a bank twice", counted.shared_load_conflicts(), 0) &&
                    at_most("writes of shared memory that meet a bank twice", counted.shared_store_conflicts(), 0) &&
                    at_most("store requests", counted.global_store_requests, m * n * 4 / 512);
  return fast ? 0 : 1;
}

}  // namespace

int main() {
  using Kind = Schedule::Kind;
  for (Schedule const schedule :
       {Schedule{Kind::in_order, 0}, Schedule{Kind::reverse, 0}, Schedule{Kind::random, 3}}) {
    if (int const verdict = check(schedule); verdict != 0) return verdict;
  }
  std::puts("right: a whole tile, one barrier for each step along K, wide stores, no bank met twice");
  return 0;
}
