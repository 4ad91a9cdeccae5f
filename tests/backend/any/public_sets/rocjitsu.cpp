// AMD's labelled races (ROCm/rocjitsu-test-corpus, corpus/race/test_cases.json and kernels/; the order of accesses is
// that of the detector's own tests, ROCm/rocm-systems, emulation/plugins/race-detector/tests). What concerns LDS and
// global memory can be said here; waits for registers are the compiler's.

#include "case.hpp"  // Case

namespace public_sets {

namespace {

// lds_cross_wave, lds_wave32_cross_wave, multi_workgroup, stress_wavefront_reuse: a warp reads what another has
// written.
template <bool BARRIER>
struct CrossWave {
  static constexpr int threads = 128;
  struct Shared { SharedArray<int, threads> x; };
  TS_DEVICE void operator()(Shared& memory, Ints const& p) const {
    auto const x = shared(memory.x, "x");
    std::int64_t const first = block_index() * threads;
    int const t = thread_index();
    x[t] = int(global(p.in)[first + t]);
    if constexpr (BARRIER) sync_threads();
    global(p.out)[first + t] = int(x[threads - 1 - t]);
  }
};

// lds_same_wave_order, lds_war_pattern: each thread reads and writes an element of its own.
struct OwnSlot {
  static constexpr int threads = 128;
  struct Shared { SharedArray<int, threads> x; };
  TS_DEVICE void operator()(Shared& memory, Ints const& p) const {
    auto const x = shared(memory.x, "x");
    int const t = thread_index();
    x[t] = int(global(p.in)[t]);
    int const value = x[t];
    x[t] = value + 1;
    global(p.out)[t] = int(x[t]);
  }
};

// global_to_lds_buffer, Dtl_CrossWaveRace, partial_vmcnt_race: loads that go straight to LDS. LEFT copies may be in
// flight when they are read.
template <int COPIES, int LEFT, bool WAITS, bool BARRIER, bool CROSS>
struct ToLds {
  static constexpr int threads = 128;
  struct Shared { SharedArray<int, COPIES * threads> x; };
  TS_DEVICE void operator()(Shared& memory, Ints const& p) const {
    if constexpr (backend_async_copy_warp_bytes > 0) {
      auto const x = shared(memory.x, "x");
      int const t = thread_index();
      for (int i = 0; i < COPIES; ++i) {
        async_copy_warp<1>(x + (i * threads + warp_index() * warp_size()), global(p.in), std::int64_t(i) * threads + t,
                           true);
        async_commit();
      }
      if constexpr (WAITS) async_wait<LEFT, 1>();
      if constexpr (BARRIER) sync_threads();
      int const from = CROSS ? threads - 1 - t : t;
      int sum = 0;
      for (int i = 0; i < COPIES; ++i) sum += x[i * threads + from];
      global(p.out)[t] = sum;
      async_wait<0, 1>();
    }
  }
};

// exec_mask, exec_mask_cross_wave, exec_mask_same_wave: some lanes write, and others read.
template <int WRITERS, bool BARRIER, bool OWN>
struct SomeLanes {
  static constexpr int threads = 128;
  struct Shared { SharedArray<int, threads> x; };
  TS_DEVICE void operator()(Shared& memory, Ints const& p) const {
    auto const x = shared(memory.x, "x");
    int const t = thread_index(), lane = lane_index();
    if (lane < WRITERS) x[t] = t;
    if constexpr (BARRIER) sync_threads();
    int const from = OWN ? t : (t + threads / 2) % threads - lane + lane % WRITERS;
    if (!OWN || lane < WRITERS) global(p.out)[t] = int(x[from]);
  }
};
struct LaneToLane {  // Exec_DisjointLanesOverlap: lane 1 reads what lane 0 wrote
  static constexpr int threads = 64;
  struct Shared { SharedArray<int, 2> x; };
  TS_DEVICE void operator()(Shared& memory, Ints const& p) const {
    auto const x = shared(memory.x, "x");
    if (thread_index() == 0) x[0] = 5;
    if (thread_index() == 1) global(p.out)[0] = int(x[0]);
  }
};
struct DisjointLanes {  // Exec_DisjointLanesDisjoint
  static constexpr int threads = 64;
  struct Shared { SharedArray<int, 32> x; };
  TS_DEVICE void operator()(Shared& memory, Ints const&) const {
    if (thread_index() < 2) shared(memory.x, "x")[thread_index() * 16] = 1;
  }
};

// lds_transpose.
template <bool BARRIER>
struct Transpose {
  static constexpr int threads = 256, side = 16;
  struct Shared { SharedArray<int, side * side> x; };
  TS_DEVICE void operator()(Shared& memory, Ints const& p) const {
    auto const x = shared(memory.x, "x");
    int const t = thread_index();
    x[t] = int(global(p.in)[t]);
    if constexpr (BARRIER) sync_threads();
    global(p.out)[t] = int(x[t % side * side + t / side]);
  }
};

// dual_offset_lds: a lane writes two intervals of eight bytes, eight bytes apart; another warp reads one of the two, or
// what lies between.
enum class Reads { first, second, between };
template <Reads WHAT, bool BARRIER>
struct TwoIntervals {
  static constexpr int threads = 128;
  struct Shared { SharedArray<int, 6 * 64> x; };
  TS_DEVICE void operator()(Shared& memory, Ints const& p) const {
    auto const x = shared(memory.x, "x");
    int const t = thread_index() % 64, other = WHAT == Reads::first ? 0 : WHAT == Reads::second ? 4 : 2;
    int r[2] = {t, t + 1};
    if (thread_index() < 64) {
      store<2>(x + 6 * t, r);
      store<2>(x + 6 * t + 4, r);
    } else if constexpr (WHAT == Reads::between) {
      store<2>(x + 6 * t + 2, r);
    }
    if constexpr (BARRIER) sync_threads();
    if (thread_index() >= 64) {
      load<2>(x + 6 * t + other, r);
      global(p.out)[t] = r[0];
    }
  }
};

// LdsCrossWave_MissingBarrier, LdsCrossWave_IrregularSizesAndOffsets: one byte is written, and another warp reads it,
// or the byte beside it.
template <int AT>
struct OneByte {
  static constexpr int threads = 128;
  struct Shared { SharedArray<std::uint8_t, 16> x; };
  TS_DEVICE void operator()(Shared& memory, Ints const& p) const {
    auto const x = shared(memory.x, "x");
    if (thread_index() == 0) x[1] = std::uint8_t(1);
    if (thread_index() == 64) {
      if constexpr (AT != 1) x[AT] = std::uint8_t(2);
      global(p.out)[0] = int(std::uint8_t(x[AT]));
    }
  }
};
// LdsSameWave_ScatterBroadcastOk: lanes write, and all lanes of the warp read the first one's, without a barrier.
template <bool SYNC>
struct WarpBroadcast {
  static constexpr int threads = 64;
  struct Shared { SharedArray<int, threads> x; };
  TS_DEVICE void operator()(Shared& memory, Ints const& p) const {
    auto const x = shared(memory.x, "x");
    int const t = thread_index();
    x[t] = t + 1;
    if constexpr (SYNC) sync_warp();  // all wrote before any reads
    global(p.out)[t] = int(x[warp_index() * warp_size()]);
  }
};
struct AllLanesOneAddress {  // LdsSameWave_AllLanesWriteSameAddr: AMD's test says that its detector passes it for now
  static constexpr int threads = 64;
  struct Shared { SharedArray<int, 1> x; };
  TS_DEVICE void operator()(Shared& memory, Ints const&) const { shared(memory.x, "x")[0] = thread_index(); }
};

// kernels/lds_reduce.
template <bool BARRIER>
struct LdsReduce {
  static constexpr int threads = 256;
  struct Shared { SharedArray<int, threads> x; };
  TS_DEVICE void operator()(Shared& memory, Ints const& p) const {
    auto const x = shared(memory.x, "x");
    int const t = thread_index();
    std::int64_t const i = block_index() * threads + t;
    int value[1] = {0};
    load_if<1>(global(p.in) + i, value, i < p.count);
    x[t] = value[0];
    sync_threads();
    for (int s = threads / 2; s > 0; s /= 2) {
      if (t < s) x[t] = int(x[t]) + int(x[t + s]);
      if constexpr (BARRIER) sync_threads();
    }
    if (t == 0) global(p.out)[block_index()] = int(x[0]);
  }
};

// kernels/fa_barrier_epoch: halves of a word are written by each lane, four are read across warps.
template <bool BARRIER>
struct BarrierEpoch {
  static constexpr int threads = 128;
  struct Shared { SharedArray<std::uint16_t, threads> x; };
  TS_DEVICE void operator()(Shared& memory, Ints const& p) const {
    auto const x = shared(memory.x, "x");
    int const t = thread_index();
    std::int64_t const first = block_index() * threads;
    x[t] = std::uint16_t(int(global(p.in)[first + t]));
    if constexpr (BARRIER) sync_threads();
    int sum = 0;
    for (int i = 0; i < 4; ++i) sum += int(std::uint16_t(x[(t * 4 + i) % threads]));
    global(p.out)[first + t] = sum;
  }
};

// kernels/global_byte_eviction: every block reads the same bytes; the mutant writes one.
template <bool WRITES>
struct ByteFlood {
  static constexpr int threads = 64;
  using Shared = NoShared;
  TS_DEVICE void operator()(Shared&, Ints const& p) const {
    auto const bytes = recast<std::uint8_t>(global(p.out));
    int sum = 0;
    for (int i = 0; i < 64; ++i) sum += int(std::uint8_t(bytes[i]));
    if (WRITES && thread_index() == 0 && block_index() == 1) bytes[33] = std::uint8_t(sum);
    global(p.out)[64 + block_index() * threads + thread_index()] = sum;
  }
};

// kernels/waw_pattern, war_pattern: a thread writes its element twice, and reads before it overwrites.
struct TwiceWritten {
  static constexpr int threads = 64;
  using Shared = NoShared;
  TS_DEVICE void operator()(Shared&, Ints const& p) const {
    std::int64_t const i = block_index() * threads + thread_index();
    int const before = global(p.out)[i];
    global(p.out)[i] = int(global(p.in)[i]);
    global(p.out)[i] = before + 1;
  }
};

// multi_kernel: one kernel after another.
template <bool BARRIER>
Case two_kernels(Label label) {
  return {"AMD", std::move(label), [] {
            Values const given = ints(128);
            DeviceBuffer<int> in("in", 128), between("between", 128), out("out", 128);
            in.upload(given.data(), 128);
            launch(CrossWave<true>{}, 1, Ints{in.data(), between.data(), 128});
            launch(CrossWave<BARRIER>{}, 1, Ints{between.data(), out.data(), 128});
            synchronize();
            Values left(128);
            out.download(left.data(), 128);
            return !BARRIER || left == given;
          }};
}

Values reversed(Values const& in, Values const&) {
  Values out(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) out[i] = in[i / 128 * 128 + 127 - i % 128];
  return out;
}

}  // namespace

std::vector<Case> rocjitsu_cases() {
  std::string const set = "AMD", race = "race", early = "race|uninitialised read", in_flight = "copy in flight",
                    lockstep = "lockstep", two_writes = "two writes", cdna = "gfx942", rdna = "gfx1100",
                    tests = "race_detector_tests.cpp: ";
  auto const plus_one = [](Values const& in, Values const&) {
    Values out = in;
    for (int& each : out) ++each;
    return out;
  };
  return {
      on_ints<CrossWave<true>>(set, {"across warps", "lds_cross_wave", "", cdna}, 1, 128, 128, reversed),
      on_ints<CrossWave<false>>(set, {"across warps, no barrier", "lds_cross_wave_race", early, cdna}, 1, 128, 128),
      on_ints<CrossWave<true>>(set, {"across warps of 32", "lds_wave32_cross_wave", "", rdna}, 1, 128, 128, reversed),
      on_ints<CrossWave<false>>(set, {"across warps of 32, no barrier", "lds_wave32_cross_wave_race", early, rdna}, 1,
                                128, 128),
      on_ints<CrossWave<true>>(set, {"three blocks", "multi_workgroup", "", cdna}, 3, 384, 384, reversed),
      on_ints<CrossWave<false>>(set, {"three blocks, no barrier", "multi_workgroup_race", early, cdna}, 3, 384, 384),
      on_ints<CrossWave<true>>(set, {"200 blocks", "stress_wavefront_reuse", "", cdna}, 200, 25600, 25600, reversed),
      on_ints<CrossWave<false>>(set, {"200 blocks, no barrier", "stress_wavefront_reuse_race", early, cdna}, 200, 25600,
                                25600),
      two_kernels<true>({"two kernels", "multi_kernel", "", cdna}),
      two_kernels<false>({"two kernels, no barrier in one", "multi_kernel_race", early, cdna}),
      on_ints<OwnSlot>(set, {"order within a thread", "lds_same_wave_order", "", cdna}, 1, 128, 128, plus_one),
      on_ints<ToLds<1, 0, true, true, true>>(set, {"straight to LDS", "global_to_lds_buffer", "", cdna}, 1, 128, 128,
                                             reversed),
      on_ints<ToLds<1, 0, false, false, false>>(
          set, {"straight to LDS, no wait", "global_to_lds_buffer_race", in_flight, cdna}, 1, 128, 128),
      on_ints<ToLds<1, 0, true, false, true>>(
          set, {"straight to LDS, no barrier", tests + "Dtl_CrossWaveRace", race + "|" + in_flight, cdna}, 1, 128, 128),
      on_ints<ToLds<2, 1, true, true, false>>(
          set, {"one of two waited for", "partial_vmcnt_race, to LDS", in_flight, cdna}, 1, 256, 128),
      on_ints<ToLds<2, 0, true, true, false>>(
          set, {"both waited for", tests + "Dtl_MultiLane_CrossWaveSafeWithBarrier", "", cdna}, 1, 256, 128),
      on_ints<SomeLanes<16, true, false>>(set, {"some lanes", "exec_mask_cross_wave", "", cdna}, 1, 1, 128),
      on_ints<SomeLanes<16, false, false>>(set, {"some lanes, no barrier", "exec_mask_cross_wave_race", early, cdna}, 1,
                                           1, 128),
      on_ints<SomeLanes<16, false, true>>(set, {"some lanes, each its own", "exec_mask_same_wave", "", cdna}, 1, 1,
                                          128),
      on_ints<LaneToLane>(set, {"lane to lane", tests + "Exec_DisjointLanesOverlap", early, cdna}, 1, 1, 1),
      on_ints<DisjointLanes>(set, {"lanes apart", tests + "Exec_DisjointLanesDisjoint", "", cdna}, 1, 1, 1),
      on_ints<Transpose<true>>(set, {"transpose", "lds_transpose", "", cdna}, 1, 256, 256),
      on_ints<Transpose<false>>(set, {"transpose, no barrier", "lds_transpose_race", early, cdna}, 1, 256, 256),
      on_ints<TwoIntervals<Reads::first, true>>(set, {"two intervals", "dual_offset_lds", "", cdna}, 1, 1, 64),
      on_ints<TwoIntervals<Reads::first, false>>(
          set, {"first of two intervals", tests + "DualOffset_Race", early, cdna}, 1, 1, 64),
      on_ints<TwoIntervals<Reads::second, false>>(
          set, {"second of two intervals", "dual_offset_lds_race", early, cdna}, 1, 1, 64),
      on_ints<TwoIntervals<Reads::between, false>>(
          set, {"between two intervals", tests + "DualOffset_Race", "", cdna}, 1, 1, 64),
      on_ints<OneByte<1>>(set, {"one byte", tests + "LdsCrossWave_MissingBarrier", early, cdna}, 1, 1, 1),
      on_ints<OneByte<0>>(set, {"the byte below", tests + "LdsCrossWave_MissingBarrier", "", cdna}, 1, 1, 1),
      on_ints<OneByte<2>>(set, {"the byte above", tests + "LdsCrossWave_IrregularSizesAndOffsets", "", cdna}, 1, 1, 1),
      on_ints<AllLanesOneAddress>(
          set, {"all lanes, one address", tests + "LdsSameWave_AllLanesWriteSameAddr", "", cdna, two_writes}, 1, 1, 1),
      on_ints<WarpBroadcast<false>>(
          set, {"broadcast in lockstep", tests + "LdsSameWave_ScatterBroadcastOk", "", cdna, lockstep}, 1, 1, 64),
      on_ints<WarpBroadcast<true>>(
          set, {"broadcast", "twin of " + tests + "LdsSameWave_ScatterBroadcastOk", "", cdna}, 1, 1, 64),
      on_ints<LdsReduce<true>>(set, {"reduction", "kernels/lds_reduce.hip", "", cdna}, 2, 500, 2,
                               [](Values const& in, Values const&) {
                                 Values sums(2);
                                 for (std::size_t i = 0; i < in.size(); ++i) sums[i / 256] += in[i];
                                 return sums;
                               }),
      on_ints<LdsReduce<false>>(set, {"reduction, no barrier", "twin of kernels/lds_reduce.hip", race, cdna}, 2, 500,
                                2),
      on_ints<BarrierEpoch<true>>(set, {"barrier epoch", "kernels/fa_barrier_epoch.hip", "", cdna}, 2, 256, 256),
      on_ints<BarrierEpoch<false>>(set, {"barrier epoch, no barrier", "kernels/fa_barrier_epoch.hip", early, cdna}, 2,
                                   256, 256),
      on_ints<ByteFlood<false>>(set, {"blocks read bytes", "kernels/global_byte_eviction.hip", "", cdna}, 3, 1, 256),
      on_ints<ByteFlood<true>>(
          set, {"a block writes a byte", "global_byte_eviction.memory000 in mutants.toml", race, cdna}, 3, 1, 256),
      on_ints<TwiceWritten>(set, {"written twice", "kernels/waw_pattern.hip", "", cdna}, 2, 128, 128),
  };
}

}  // namespace public_sets
