// Race-free kernels of GPUVerify's benchmarks (mc-imperial/GPUVerifyBenchmarks, CUDA50/), which took them from the CUDA
// samples, and what becomes of each when one barrier is lost.

#include "case.hpp"  // Case

namespace public_sets {

namespace {

// 6_Advanced/reduction/reduce0 (every second thread, then every fourth ..), reduce1 (the same by the first threads),
// reduce3 (two elements each, halves).
enum class Order { modulo, strided, halves };
template <Order ORDER, bool BARRIER>
struct Reduce {
  static constexpr int threads = 128;
  struct Shared { SharedArray<int, threads> x; };
  TS_DEVICE void operator()(Shared& memory, Ints const& p) const {
    auto const x = shared(memory.x, "x");
    int const t = thread_index();
    std::int64_t const first = block_index() * 2 * threads + t;
    int sum[1] = {0}, more[1] = {0};
    load_if<1>(global(p.in) + first, sum, first < p.count);
    load_if<1>(global(p.in) + (first + threads), more, first + threads < p.count);
    x[t] = sum[0] + more[0];
    sync_threads();
    for (int s = 1; s < threads; s *= 2) {
      if constexpr (ORDER == Order::modulo) {
        if (t % (2 * s) == 0) x[t] = int(x[t]) + int(x[t + s]);
      } else if constexpr (ORDER == Order::strided) {
        int const at = 2 * s * t;
        if (at < threads) x[at] = int(x[at]) + int(x[at + s]);
      } else {
        int const half = threads / 2 / s;
        if (t < half) x[t] = int(x[t]) + int(x[t + half]);
      }
      if constexpr (BARRIER) sync_threads();
    }
    if (t == 0) global(p.out)[block_index()] = int(x[0]);
  }
};

// 6_Advanced/transpose/transposeNoBankConflicts: 32 x 32 tiles, REPEATS times; the barrier at the end of a repeat is
// what GPUVerify's authors added.
template <bool FIRST, bool SECOND>
struct TransposeTile {
  static constexpr int threads = 256, side = 32, repeats = 2;
  struct Shared { SharedArray<int, side * (side + 1)> x; };
  TS_DEVICE void operator()(Shared& memory, Ints const& p) const {
    auto const x = shared(memory.x, "x");
    int const m = thread_index() / side, n = thread_index() % side;
    for (int r = 0; r < repeats; ++r) {
      for (int i = 0; i < side; i += threads / side)
        x[(m + i) * (side + 1) + n] = int(global(p.in)[(m + i) * side + n]);
      if constexpr (FIRST) sync_threads();
      for (int i = 0; i < side; i += threads / side)
        global(p.out)[(m + i) * side + n] = int(x[n * (side + 1) + m + i]);
      if constexpr (SECOND) sync_threads();
    }
  }
};

// 6_Advanced/shfl_scan/shfl_scan_test: sums of a warp by shuffles, of warps through shared memory.
template <bool FIRST, bool SECOND>
struct ShuffleScan {
  static constexpr int threads = 128, warps = threads / 32;
  struct Shared { SharedArray<int, warps> sums; };
  TS_DEVICE void operator()(Shared& memory, Ints const& p) const {
    auto const sums = shared(memory.sums, "sums");
    int const t = thread_index(), lane = lane_index(), warp = warp_index();
    int value = global(p.in)[t];
    for (int d = 1; d < 32; d *= 2) {
      int const other = shuffle_up(value, d);
      if (lane >= d) value += other;
    }
    if (lane == 31) sums[warp] = value;
    if constexpr (FIRST) sync_threads();
    if (warp == 0) {
      int sum = lane < warps ? int(sums[lane]) : 0;
      for (int d = 1; d < warps; d *= 2) {
        int const other = shuffle_up(sum, d);
        if (lane >= d) sum += other;
      }
      if (lane < warps) sums[lane] = sum;
    }
    if constexpr (SECOND) sync_threads();
    global(p.out)[t] = value + (warp > 0 ? int(sums[warp - 1]) : 0);
  }
};

// 6_Advanced/fastWalshTransform/fwtBatch1Kernel: butterflies of four; the barrier is the first thing in each step.
template <bool BARRIER>
struct Walsh {
  static constexpr int threads = 64, elements = 4 * threads;
  struct Shared { SharedArray<int, elements> x; };
  TS_DEVICE void operator()(Shared& memory, Ints const& p) const {
    auto const x = shared(memory.x, "x");
    int const t = thread_index();
    for (int i = t; i < elements; i += threads) x[i] = int(global(p.in)[i]);
    for (int stride = elements / 4; stride > 0; stride /= 4) {
      int const low = t % stride, first = (t - low) * 4 + low;
      if constexpr (BARRIER) sync_threads();
      int const a = x[first], b = x[first + stride], c = x[first + 2 * stride], d = x[first + 3 * stride];
      x[first] = a + c + (b + d);
      x[first + stride] = a + c - (b + d);
      x[first + 2 * stride] = a - c + (b - d);
      x[first + 3 * stride] = a - c - (b - d);
    }
    sync_threads();
    for (int i = t; i < elements; i += threads) global(p.out)[i] = int(x[i]);
  }
};

Values walsh(Values const& in, Values const&) {
  Values out = in;
  for (std::size_t stride = 1; stride < out.size(); stride *= 2) {
    for (std::size_t i = 0; i < out.size(); ++i) {
      if (i & stride) continue;
      int const a = out[i], b = out[i + stride];
      out[i] = a + b, out[i + stride] = a - b;
    }
  }
  return out;
}

// 6_Advanced/scan/uniformUpdate: thread 0 brings what the block adds.
template <bool BARRIER>
struct UniformUpdate {
  static constexpr int threads = 64;
  struct Shared { SharedArray<int, 1> x; };
  TS_DEVICE void operator()(Shared& memory, Ints const& p) const {
    auto const x = shared(memory.x, "x");
    std::int64_t const i = block_index() * threads + thread_index();
    if (thread_index() == 0) x[0] = int(global(p.in)[block_index()]);
    if constexpr (BARRIER) sync_threads();
    global(p.out)[i] = int(global(p.out)[i]) + int(x[0]);
  }
};

// 3_Imaging/histogram/mergeHistogram64Kernel: a block sums one bin over all partial histograms.
template <bool BARRIER>
struct MergeHistograms {
  static constexpr int threads = 64, bins = 4;
  struct Shared { SharedArray<int, threads> x; };
  TS_DEVICE void operator()(Shared& memory, Ints const& p) const {
    auto const x = shared(memory.x, "x");
    int const t = thread_index();
    int sum = 0;
    for (std::int64_t i = t; i < p.count / bins; i += threads) sum += global(p.in)[block_index() + i * bins];
    x[t] = sum;
    for (int stride = threads / 2; stride > 0; stride /= 2) {
      if constexpr (BARRIER) sync_threads();
      if (t < stride) x[t] = int(x[t]) + int(x[t + stride]);
    }
    if (t == 0) global(p.out)[block_index()] = int(x[0]);
  }
};

Values sum_of_blocks(Values const& in, Values const&) {
  Values sums(2);
  for (std::size_t i = 0; i < in.size(); ++i) sums[i / 256] += in[i];
  return sums;
}
Values sum_of_bins(Values const& in, Values const&) {
  Values sums(4);
  for (std::size_t i = 0; i < in.size(); ++i) sums[i % 4] += in[i];
  return sums;
}

}  // namespace

std::vector<Case> gpuverify_benchmarks() {
  std::string const set = "GPUVerify benchmarks", race = "race", early = "race|uninitialised read",
                    advanced = "CUDA50/6_Advanced/",
                    transposed = advanced + "transpose/transposeNoBankConflicts.cu",
                    walsh_cu = advanced + "fastWalshTransform/fwtBatch1Kernel.cu",
                    shuffles = advanced + "shfl_scan/shfl_scan_test.cu",
                    uniform_cu = advanced + "scan/uniformUpdate.cu",
                    histogram = "CUDA50/3_Imaging/histogram/mergeHistogram64Kernel.cu";
  auto const transpose = [](Values const& in, Values const&) {
    Values out(1024);
    for (std::size_t i = 0; i < 1024; ++i) out[i % 32 * 32 + i / 32] = in[i];
    return out;
  };
  auto const prefix = [](Values const& in, Values const&) {
    Values sums = in;
    for (std::size_t i = 1; i < sums.size(); ++i) sums[i] += sums[i - 1];
    return sums;
  };
  auto const added = [](Values const& in, Values const& out) {
    Values sums = out;
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += in[i / 64];
    return sums;
  };
  return {
      on_ints<Reduce<Order::modulo, true>>(set, {"reduce0", advanced + "reduction/reduce0.cu", ""}, 2, 500, 2,
                                           sum_of_blocks),
      on_ints<Reduce<Order::modulo, false>>(
          set, {"reduce0, no barrier", "twin of " + advanced + "reduction/reduce0.cu", race}, 2,
                                            500, 2),
      on_ints<Reduce<Order::strided, true>>(set, {"reduce1", advanced + "reduction/reduce1.cu", ""}, 2, 500, 2,
                                            sum_of_blocks),
      on_ints<Reduce<Order::strided, false>>(
          set, {"reduce1, no barrier", "twin of " + advanced + "reduction/reduce1.cu", race}, 2,
                                             500, 2),
      on_ints<Reduce<Order::halves, true>>(set, {"reduce3", advanced + "reduction/reduce3.cu", ""}, 2, 500, 2,
                                           sum_of_blocks),
      on_ints<Reduce<Order::halves, false>>(
          set, {"reduce3, no barrier", "twin of " + advanced + "reduction/reduce3.cu", race}, 2,
                                            500, 2),
      on_ints<TransposeTile<true, true>>(set,
                                         {"transpose", transposed, ""}, 1,
                                         1024, 1024, transpose),
      on_ints<TransposeTile<false, true>>(
          set, {"transpose, no first barrier", "twin of " + transposed, early}, 1, 1024,
          1024),
      on_ints<TransposeTile<true, false>>(
          set, {"transpose, as in the samples", transposed, race}, 1, 1024,
          1024),
      on_ints<ShuffleScan<true, true>>(set, {"shuffle scan", shuffles, "", "sm80"}, 1,
                                       128, 128, prefix),
      on_ints<ShuffleScan<false, true>>(
          set, {"shuffle scan, no first barrier", "twin of " + shuffles, early, "sm80"}, 1, 128,
          128),
      on_ints<ShuffleScan<true, false>>(
          set, {"shuffle scan, no second barrier", "twin of " + shuffles, race, "sm80"}, 1, 128, 128),
      on_ints<Walsh<true>>(set, {"Walsh transform", walsh_cu, ""}, 1, 256,
                           256, walsh),
      on_ints<Walsh<false>>(
          set, {"Walsh transform, no barrier", "twin of " + walsh_cu, early}, 1, 256, 256),
      on_ints<UniformUpdate<true>>(set, {"uniform update", uniform_cu, ""}, 2, 2, 128, added),
      on_ints<UniformUpdate<false>>(set, {"uniform update, no barrier", "twin of " + uniform_cu, early}, 2,
                                    2, 128),
      on_ints<MergeHistograms<true>>(
          set, {"merged histograms", histogram, ""}, 4, 400, 4,
          sum_of_bins),
      on_ints<MergeHistograms<false>>(
          set, {"merged histograms, no barrier", "twin of " + histogram, early}, 4, 400,
          4),
  };
}

}  // namespace public_sets
