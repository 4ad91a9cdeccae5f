// The counters against values computed by hand from the address of every lane.

#include "run_kernel.hpp"

using namespace host_test;

namespace {

// Lane l of the only warp takes part if l < lanes and accesses VEC elements from element first + l * stride on, or
// where the table says.
struct Pattern {
  float* memory;
  int first, stride, lanes;
  int const* table = nullptr;
  int index() const { return table != nullptr ? table[lane_index()] : first + lane_index() * stride; }
};

template <class T, int VEC>
struct GlobalLoad {
  static constexpr int threads = 64;
  using Shared = NoShared;
  void operator()(Shared&, Pattern const& p) const {
    if (thread_index() >= warp_size()) return;
    T r[VEC] = {};
    load_if<VEC>(recast<T>(global(static_cast<float const*>(p.memory))) + p.index(), r, lane_index() < p.lanes);
  }
};

template <class T, int VEC>
struct GlobalStore {
  static constexpr int threads = 64;
  using Shared = NoShared;
  void operator()(Shared&, Pattern const& p) const {
    if (thread_index() >= warp_size()) return;
    T const r[VEC] = {};
    store_if<VEC>(recast<T>(global(p.memory)) + p.index(), r, lane_index() < p.lanes);
  }
};

template <class T, int VEC>
struct SharedBoth {
  static constexpr int threads = 64;
  static constexpr int bytes = 32 * 1024;
  struct Shared { SharedArray<T, bytes / int(sizeof(T))> x; };
  void operator()(Shared& memory, Pattern const& p) const {
    if (thread_index() >= warp_size()) return;
    auto const x = shared(memory.x, "x");
    T r[VEC] = {};
    store_if<VEC>(x + p.index(), r, lane_index() < p.lanes);
    sync_warp();
    load_if<VEC>(x + p.index(), r, lane_index() < p.lanes);
  }
};

// Functions that the compiler leaves calls. The second ends in a call, which is a jump where calls at the end are
// optimised away.
[[gnu::noinline]] void touch(GlobalPtr<float> x, int i) {
  float const one = 1;
  store_if<1>(x + i, &one, true);
}
[[gnu::noinline]] void touch_there(GlobalPtr<float> x, int i) { touch(x, i + 1024); }

// One line that all lanes come to, by different ways: a warp executes it once for each way.
template <bool Divergent>
struct CalledTwice {
  static constexpr int threads = 64;
  using Shared = NoShared;
  void operator()(Shared&, Pattern const& p) const {
    if (thread_index() >= warp_size()) return;
    auto const x = global(p.memory);
    int const lane = lane_index();
    // A compiler may make one call of two at the ends of two branches: the lines of assembly keep them apart.
    if (!Divergent) {
      touch(x, lane);
    } else if (lane < 8) {
      touch(x, lane);
      asm volatile("# the first branch");
    } else if (lane < 16) {
      touch_there(x, lane);
      asm volatile("# the second");
    } else {
      touch_there(x, lane + 64);
      touch(x, lane);
      asm volatile("# the third");
    }
  }
};

template <class Kernel>
Counters count(Kernel const& kernel, char const* target_name, int first, int stride, int lanes = 64,
               int const* table = nullptr) {
  DeviceBuffer<float> memory("memory", 64 * 1024);
  std::vector<float> const ones(64 * 1024, 1.0f);
  memory.upload(ones.data(), memory.size());
  return run(kernel, 1, Pattern{memory.data(), first, stride, lanes, table}, RunOptions{target_name, {}, true, 1})
      .counters;
}

struct Global {
  std::int64_t requests, bytes, sectors, ideal;
  friend bool operator==(Global const&, Global const&) = default;
};
Global loads(Counters const& c) {
  return {c.global_load_requests, c.global_load_bytes, c.global_load_sectors, c.global_load_sectors_ideal};
}
Global stores(Counters const& c) {
  return {c.global_store_requests, c.global_store_bytes, c.global_store_sectors, c.global_store_sectors_ideal};
}

// {wavefronts, ideal} of the read, then of the write.
struct Banks {
  std::int64_t read, read_ideal, write, write_ideal;
  friend bool operator==(Banks const&, Banks const&) = default;
};
template <class T, int VEC>
Banks banks(char const* target_name, int stride, int lanes = 64, int const* table = nullptr) {
  Counters const c = count(SharedBoth<T, VEC>{}, target_name, 0, stride, lanes, table);
  CHECK(c.shared_load_requests == 1);
  CHECK(c.shared_store_requests == 1);
  return {c.shared_load_wavefronts, c.shared_load_wavefronts_ideal, c.shared_store_wavefronts,
          c.shared_store_wavefronts_ideal};
}

}  // namespace

TEST_CASE("global loads are counted in 32-byte sectors on NVIDIA", "[host][counters]") {
  using Load = GlobalLoad<float, 1>;
  CHECK(loads(count(Load{}, "sm80", 0, 1)) == Global{1, 128, 4, 4});      // coalesced
  CHECK(loads(count(Load{}, "sm80", 1, 1)) == Global{1, 128, 5, 4});      // coalesced, not aligned
  CHECK(loads(count(Load{}, "sm80", 0, 8)) == Global{1, 128, 32, 4});     // a sector each
  CHECK(loads(count(Load{}, "sm80", 0, 2)) == Global{1, 128, 8, 4});
  CHECK(loads(count(Load{}, "sm80", 31, -1)) == Global{1, 128, 4, 4});    // backwards
  CHECK(loads(count(Load{}, "sm80", 5, 0)) == Global{1, 128, 1, 1});      // broadcast
  CHECK(loads(count(Load{}, "sm80", 0, 1, 16)) == Global{1, 64, 2, 2});   // half of the lanes
  CHECK(loads(count(Load{}, "sm80", 0, 1, 0)) == Global{0, 0, 0, 0});     // none
  CHECK(loads(count(GlobalLoad<std::uint8_t, 1>{}, "sm80", 0, 1)) == Global{1, 32, 1, 1});
  CHECK(loads(count(GlobalLoad<std::uint16_t, 1>{}, "sm80", 0, 1)) == Global{1, 64, 2, 2});
  CHECK(loads(count(GlobalLoad<float, 2>{}, "sm90", 0, 2)) == Global{1, 256, 8, 8});
  CHECK(loads(count(GlobalLoad<float, 4>{}, "sm90", 0, 4)) == Global{1, 512, 16, 16});
  CHECK(loads(count(GlobalLoad<float, 4>{}, "sm90", 0, 256)) == Global{1, 512, 32, 16});
}

TEST_CASE("global stores are counted in 32-byte sectors on NVIDIA", "[host][counters]") {
  CHECK(stores(count(GlobalStore<float, 1>{}, "sm80", 0, 1)) == Global{1, 128, 4, 4});
  CHECK(stores(count(GlobalStore<float, 1>{}, "sm80", 3, 16)) == Global{1, 128, 32, 4});
  CHECK(stores(count(GlobalStore<float, 4>{}, "sm80", 0, 4, 8)) == Global{1, 128, 4, 4});
  CHECK(stores(count(GlobalStore<double, 2>{}, "sm80", 0, 2)) == Global{1, 512, 16, 16});
}

TEST_CASE("a function called from two branches of a warp is two instructions", "[host][counters]") {
  CHECK(stores(count(CalledTwice<false>{}, "sm80", 0, 1)) == Global{1, 128, 4, 4});
  CHECK(stores(count(CalledTwice<true>{}, "sm80", 0, 1)) == Global{4, 32 + 32 + 64 + 64, 6, 6});
}

TEST_CASE("global memory is counted in 128-byte lines on AMD", "[host][counters]") {
  CHECK(loads(count(GlobalLoad<float, 1>{}, "gfx942", 0, 1)) == Global{1, 256, 2, 2});   // 64 lanes
  CHECK(loads(count(GlobalLoad<float, 1>{}, "gfx942", 1, 1)) == Global{1, 256, 3, 2});
  CHECK(loads(count(GlobalLoad<float, 1>{}, "gfx942", 0, 32)) == Global{1, 256, 64, 2});
  CHECK(loads(count(GlobalLoad<float, 1>{}, "gfx1100", 0, 1)) == Global{1, 128, 1, 1});  // 32 lanes
  CHECK(loads(count(GlobalLoad<float, 1>{}, "gfx1201", 0, 8)) == Global{1, 128, 8, 1});
  CHECK(stores(count(GlobalStore<float, 4>{}, "gfx90a", 0, 4)) == Global{1, 1024, 8, 8});
}

TEST_CASE("shared memory has 32 banks and phases on NVIDIA", "[host][counters]") {
  CHECK(banks<float, 1>("sm80", 1) == Banks{1, 1, 1, 1});
  CHECK(banks<float, 1>("sm80", 2) == Banks{2, 1, 2, 1});
  CHECK(banks<float, 1>("sm80", 32) == Banks{32, 1, 32, 1});    // a column of 32 x 32
  CHECK(banks<float, 1>("sm80", 33) == Banks{1, 1, 1, 1});      // padded
  CHECK(banks<float, 1>("sm80", 32, 5) == Banks{5, 1, 5, 1});   // five lanes
  CHECK(banks<std::uint16_t, 1>("sm80", 1) == Banks{1, 1, 1, 1});
  CHECK(banks<std::uint16_t, 1>("sm80", 64) == Banks{32, 1, 32, 1});
  CHECK(banks<float, 2>("sm80", 2) == Banks{2, 2, 2, 2});       // two phases of 16 lanes
  CHECK(banks<float, 2>("sm80", 32) == Banks{32, 2, 32, 2});
  CHECK(banks<float, 4>("sm80", 4) == Banks{4, 4, 4, 4});       // four phases of 8 lanes
  CHECK(banks<float, 4>("sm80", 32) == Banks{32, 4, 32, 4});    // rows of 128 bytes
  CHECK(banks<float, 4>("sm80", 36) == Banks{4, 4, 4, 4});      // padded by 16 bytes
  CHECK(banks<float, 4>("sm80", 4, 12) == Banks{2, 2, 2, 2});   // lanes of two phases
  CHECK(banks<double, 1>("sm90", 1) == Banks{2, 2, 2, 2});
  CHECK(banks<double, 1>("sm90", 16) == Banks{32, 2, 32, 2});   // a column of rows of 128 bytes
  CHECK(banks<double, 1>("sm90", 17) == Banks{2, 2, 2, 2});     // padded by one f64
  CHECK(banks<double, 2>("sm90", 2) == Banks{4, 4, 4, 4});      // vectors of 16 bytes
}

TEST_CASE("lanes that read the same word share it", "[host][counters]") {
  struct Broadcast { int table[64]; };
  Broadcast same{}, pairs{}, far_pairs{};
  for (int lane = 0; lane < 64; ++lane) {
    pairs.table[lane] = lane / 2 * 32;       // 16 words of one bank, each for two lanes
    far_pairs.table[lane] = lane % 16 * 32;  // the same, the two lanes far apart
  }
  CHECK(count(GlobalLoad<float, 1>{}, "sm80", 0, 0, 64, same.table).global_load_sectors == 1);
  DeviceBuffer<float> none("none", 0);
  // The write is a race between lanes of one warp, so only the read's counters are looked at.
  KernelReport const report = run(SharedBoth<float, 1>{}, 1, Pattern{none.data(), 0, 0, 64, pairs.table});
  CHECK(report.counters.shared_load_wavefronts == 16);
  CHECK(
      run(SharedBoth<float, 1>{}, 1, Pattern{none.data(), 0, 0, 64, far_pairs.table}).counters.shared_load_wavefronts ==
      16);
  CHECK(run(SharedBoth<float, 1>{}, 1, Pattern{none.data(), 0, 0, 64, same.table}).counters.shared_load_wavefronts ==
        1);
}

TEST_CASE("shared memory follows the phase rules of CDNA", "[host][counters]") {
  CHECK(banks<float, 1>("gfx942", 1) == Banks{2, 2, 2, 2});
  CHECK(banks<float, 2>("gfx942", 2) == Banks{4, 4, 4, 4});
  CHECK(banks<float, 4>("gfx942", 4) == Banks{8, 8, 8, 8});
  CHECK(banks<float, 4>("gfx90a", 4) == Banks{8, 8, 8, 8});
  CHECK(banks<float, 4>("gfx942", 32) == Banks{64, 8, 64, 8});
  CHECK(banks<double, 1>("gfx942", 1) == Banks{4, 4, 4, 4});
  CHECK(banks<double, 2>("gfx942", 2) == Banks{8, 8, 8, 8});

  // Groups of four lanes: reads pair groups (0,5) (1,4) (2,7) (3,6), writes pair neighbours. Groups 4 to 7 use the
  // upper banks.
  int table[64];
  for (int lane = 0; lane < 64; ++lane) {
    int const group = lane / 4;
    table[lane] = group * 32 + (group % 8 >= 4 ? 16 : 0) + lane % 4 * 4;
  }
  CHECK(banks<float, 4>("gfx942", 0, 64, table) == Banks{8, 8, 16, 8});

  CHECK(banks<float, 4>("gfx950", 4) == Banks{4, 4, 8, 8});  // reads: 64 banks, 16 lanes a phase
  CHECK(banks<float, 2>("gfx950", 2) == Banks{2, 2, 4, 4});
  CHECK(banks<float, 4>("gfx950", 64) == Banks{64, 4, 64, 8});
}

TEST_CASE("rules without a source are marked as assumed", "[host][counters]") {
  CHECK(!target_info("sm80").phases(false, 16).assumed);
  CHECK(!target_info("gfx942").phases(false, 16).assumed);
  CHECK(!target_info("gfx942").phases(true, 8).assumed);
  CHECK(target_info("gfx90a").phases(false, 16).assumed);
  CHECK(target_info("gfx1100").phases(false, 4).assumed);
  CHECK(target_info("gfx1201").phases(true, 16).assumed);
  for (TargetInfo const& each : targets) {
    for (int const bytes : {1, 2, 4, 8, 16}) {
      for (bool const is_write : {false, true}) CHECK(std::string(each.phases(is_write, bytes).source).size() > 10);
    }
  }
}

TEST_CASE("a report says when wavefronts rest on an assumed rule", "[host][counters]") {
  DeviceBuffer<float> none("none", 0);
  auto const assumed = [&](auto kernel, char const* target_name, int stride) {
    return run(kernel, 1, Pattern{none.data(), 0, stride, 32}, RunOptions{target_name, {}, true, 1}).assumed_rules;
  };
  CHECK(!assumed(SharedBoth<float, 1>{}, "sm80", 1));
  CHECK(assumed(SharedBoth<float, 1>{}, "gfx942", 1));   // 4 bytes
  CHECK(!assumed(SharedBoth<float, 4>{}, "gfx942", 4));  // 16 bytes
  CHECK(assumed(SharedBoth<float, 4>{}, "gfx1100", 4));
}

namespace {

// Lanes take turns: in each trip half of them are kept out.
struct AlternatingLanes {
  static constexpr int threads = 32;
  using Shared = NoShared;
  void operator()(Shared&, InOut const& p) const {
    for (int k = 0; k < 4; ++k) {
      float r[1] = {};
      load_if<1>(global(p.in) + thread_index(), r, (thread_index() + k) % 2 == 0);
    }
  }
};

// More trips than a row of addresses is kept for, without any barrier.
struct LongLoop {
  static constexpr int threads = 64;
  using Shared = NoShared;
  void operator()(Shared&, InOut const& p) const {
    float sum = 0;
    for (int k = 0; k < 1000; ++k) sum += global(p.in)[(k % 2) * 64 + thread_index()];
    global(p.out)[thread_index()] = sum;
  }
};

// One instruction whose address moves within a sector from trip to trip.
struct MovingRow {
  static constexpr int threads = 32;
  using Shared = NoShared;
  void operator()(Shared&, InOut const& p) const {
    float sum = 0;
    for (int k = 0; k < 16; ++k) sum += global(p.in)[k + thread_index()];
    global(p.out)[thread_index()] = sum;
  }
};

// The sides of a branch are two instructions.
struct Branch {
  static constexpr int threads = 32;
  using Shared = NoShared;
  void operator()(Shared&, InOut const& p) const {
    float v;
    if (thread_index() < 16) {
      v = global(p.in)[thread_index()];
    } else {
      v = 1 + float(global(p.in)[64 + thread_index()]);
    }
    global(p.out)[thread_index()] = v;
  }
};

// C = A B for 32 x 32 matrices, one element a thread; B through shared memory.
struct SmallGemm {
  static constexpr int threads = 128;
  struct Shared { SharedArray<float, 1024> b; };
  void operator()(Shared& memory, InOut const& p) const {
    auto const b = shared(memory.b, "b");
    for (int i = thread_index(); i < 1024; i += threads) b[i] = global(p.in)[1024 + i];
    sync_threads();
    int const m = int(block_index()) * 4 + warp_index(), n = lane_index();
    float sum = 0;
    for (int k = 0; k < 32; ++k) sum = fma(global(p.in)[m * 32 + k], b[k * 32 + n], sum);
    global(p.out)[m * 32 + n] = sum;
  }
};

}  // namespace

TEST_CASE("lanes stay side by side when predicates keep some out", "[host][counters]") {
  Buffers memory(32);
  Counters const c = run(AlternatingLanes{}, 1, memory.params()).counters;
  CHECK(loads(c) == Global{4, 4 * 64, 4 * 4, 4 * 2});
}

TEST_CASE("a row that moves within a sector is counted where it is", "[host][counters]") {
  Buffers memory(48);
  CHECK(loads(run(MovingRow{}, 1, memory.params()).counters) == Global{16, 16 * 128, 2 * 4 + 14 * 5, 16 * 4});
}

TEST_CASE("a long loop without barriers is counted in full", "[host][counters]") {
  for (Schedule const& schedule : schedules) {
    Buffers memory(128);
    Counters const c = run(LongLoop{}, 1, memory.params(), RunOptions{"sm80", schedule, true, 1}).counters;
    CHECK(loads(c) == Global{2000, 2000 * 128, 2000 * 4, 2000 * 4});
  }
}

TEST_CASE("the sides of a branch are counted apart", "[host][counters]") {
  Buffers memory(128);
  Counters const c = run(Branch{}, 1, memory.params()).counters;
  CHECK(loads(c) == Global{2, 128, 4, 4});
  CHECK(stores(c) == Global{1, 128, 4, 4});
}

TEST_CASE("a small GEMM has the traffic that its tiles imply, on any number of workers and under any schedule",
          "[host][counters]") {
  Buffers memory(2048);
  std::vector<Counters> all;
  for (Schedule const& schedule : schedules) {
    for (int const workers : {1, 2, 5}) {
      KernelReport const report = run(SmallGemm{}, 8, memory.params(), RunOptions{"sm80", schedule, true, workers});
      CHECK(text(report) == "");
      all.push_back(report.counters);
    }
  }
  for (Counters const& c : all) CHECK(c == all[0]);
  Counters const& c = all[0];
  // 8 blocks of 4 warps: each block copies B (32 warp loads), each warp reads 32 elements of A and 32 rows of B.
  CHECK(loads(c) == Global{8 * 32 + 32 * 32, 8 * 4096 + 32 * 32 * 128, 8 * 32 * 4 + 32 * 32, 8 * 32 * 4 + 32 * 32});
  CHECK(stores(c) == Global{32, 4096, 128, 128});
  CHECK(c.shared_store_requests == 8 * 32);
  CHECK(c.shared_store_wavefronts == 8 * 32);
  CHECK(c.shared_load_requests == 32 * 32);
  CHECK(c.shared_load_bytes == 32 * 32 * 128);
  CHECK(c.shared_load_conflicts() == 0);
  CHECK(c.barriers == 8);
  CHECK(c.warp_syncs == 0);
  CHECK(c.fma == 32 * 32 * 32);
}

TEST_CASE("without checks memory is not counted and results are the same", "[host][counters]") {
  Buffers checked(2048), unchecked(2048);
  (void)run(SmallGemm{}, 8, checked.params());
  KernelReport const report = run(SmallGemm{}, 8, unchecked.params(), RunOptions{"", {}, false, 2});
  CHECK(report.counters.global_load_requests == 0);
  CHECK(report.counters.barriers == 8);
  std::vector<float> const a = checked.result(), b = unchecked.result();
  CHECK(std::equal(a.begin(), a.begin() + 1024, b.begin()));
}
