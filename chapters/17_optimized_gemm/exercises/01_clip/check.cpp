// Grades the exercise: sums go through the chapter's epilogue with the reader's activation, in both types of C, and
// through the second pass of slices.

#include EXERCISE_HEADER

#include <tilestep/atom.hpp>                 // the instruction
#include <tilestep/backend/launch.hpp>       // launch, DeviceBuffer, take_reports
#include <tilestep/block/epilogue.hpp>       // Epilogue, SumsToMemory
#include <tilestep/block/finish_slices.hpp>  // FinishSlices
#include <tilestep/block/gemm_params.hpp>    // MatrixLayout
#include <tilestep/block/pipeline.hpp>       // Pipeline
#include <tilestep/harness/graded.hpp>  // no_hazard

#include <algorithm>  // std::clamp
#include <cstdio>     // messages
#include <limits>     // NaN
#include <vector>     // matrices

using namespace tilestep;

namespace {

/// The chapter's epilogue, with the reader's activation in place of its own.
struct ReadersEpilogue : Epilogue<float, half_t, MatrixLayout> {
  Clip activation;
};

using Config = Pipeline<GemmConfig<SM80_16x8x16_F32F16F16F32_TN, BlockTile<64, 64, 32, 2, 2>, half_t, Contiguous::k,
                                   Contiguous::k, 8, Arrangement::swizzled>,
                        Route::async, 3>;
using Sums = SumsToMemory<Config>;

constexpr int m = 64, n = 64, slices = 2;
constexpr float alpha = 2;

/// A number for each element, and NaN for one.
TS_HOST_DEVICE float sum_of(int row, int col) {
  return row == 3 && col == 5 ? std::numeric_limits<float>::quiet_NaN() : float((row * 7 + col * 3) % 23 - 11) / 2;
}

/// Every thread has the sums of its place, as after the chapter's loop.
struct Store {
  struct Params {
    ReadersEpilogue epilogue;
  };
  struct Shared {
    SharedArray<float, cosize_v<Sums::Smem>> sums;
  };
  static constexpr char const* name = "Store";
  static constexpr int threads = Config::threads;
  TS_DEVICE void operator()(Shared& memory, Params const& p) const {
    auto const mma = Config::Mma::slice(thread_index());
    auto const tile = make_identity_tensor(make_shape(Config::BlkM{}, Config::BlkN{}));  // (BLK_M,BLK_N) -> (m,n)
    auto rC = mma.partition_fragment_C(tile);                                            // (MMA,MMA_M,MMA_N)
    auto const tCcC = mma.partition_C(tile);                                             // (MMA,MMA_M,MMA_N) -> (m,n)
    for (int i = 0; i < int(size(tCcC)); ++i)
      rC.data()[rC.layout()(i)] = sum_of(int(get<0>(tCcC(i))), int(get<1>(tCcC(i))));
    Sums::store(p.epilogue, shared(memory.sums, "sC"), rC,
                make_coord(std::int64_t(0), std::int64_t(0), std::int64_t(0)));
  }
};

MatrixLayout rows_of(std::int64_t batch) {
  return MatrixLayout(make_shape(std::int64_t(m), std::int64_t(n), batch),
                      make_stride(std::int64_t(n), std::int64_t(1), std::int64_t(m * n)));
}

/// 0 right, 1 wrong, 4 hazard.
template <class T>
int check(char const* what, bool in_slices, Clip const& clip) {
  DeviceBuffer<T> device_c("C", m * n);
  DeviceBuffer<float> device_sums("sums", m * n * slices);
  std::vector<float> sums;
  for (int i = 0; i < m * n * slices; ++i) sums.push_back(sum_of(i / n % m, i % n) / slices);
  device_sums.upload(sums.data(), m * n * slices);
  device_c.upload(std::vector<T>(std::size_t(m * n), T(-99.0f)).data(), m * n);
  ReadersEpilogue e{};
  e.c = device_c.data();
  e.layout_c = rows_of(1);
  e.narrow = sizeof(T) == 2;
  e.wide = true;
  e.alpha = alpha;
  e.activation = clip;
  if (in_slices) {
    using Pass = FinishSlices<ReadersEpilogue, MatrixLayout, 4>;
    Pass::Params const params{device_sums.data(), rows_of(slices), e};
    launch(Pass{}, size(Pass::grid(params)), params);
  } else {
    launch(Store{}, 1, Store::Params{e});
  }
  std::vector<T> c(std::size_t(m * n));
  device_c.download(c.data(), m * n);

  if (!no_hazard(take_reports().at(0))) return 4;
  for (int i = 0; i < m * n; ++i) {
    float const x = alpha * sum_of(i / n, i % n), got = float(c[std::size_t(i)]),
                want = x != x ? x : std::clamp(x, clip.low, clip.high);
    if (!(got == want) && !(want != want && got != got)) {
      std::printf("%s, clipped to %g .. %g: %g became %g and should be %g\n", what, double(clip.low), double(clip.high),
                  double(x), double(got), double(want));
      return 1;
    }
  }
  return 0;
}

}  // namespace

int main() {
  set_run_options({.target = "sm80", .schedule = {}, .check = true, .workers = 0});
  for (Clip const& clip : {Clip{-20, 20}, Clip{0, 6}, Clip{-3, -1}, Clip{2, 2}}) {
    for (int const verdict : {check<float>("C in f32", false, clip), check<half_t>("C in f16", false, clip),
                              check<float>("K in slices", true, clip)}) {
      if (verdict != 0) return verdict;
    }
  }
  std::puts("right: clipped in both types of C and in the second pass, and NaN is NaN");
  return 0;
}
