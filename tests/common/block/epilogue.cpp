// The way of a block's sums to C: every thread's sums are known numbers, so each element of C says whether it went
// through shared memory to its place, and what was done to it there. Also the second pass of sums in slices.

#include <tilestep/atom.hpp>                  // instructions
#include <tilestep/backend/launch.hpp>        // launch
#include <tilestep/backend/runtime.hpp>       // DeviceBuffer, take_reports, set_run_options
#include <tilestep/block/epilogue.hpp>        // SumsToMemory
#include <tilestep/block/finish_slices.hpp>   // FinishSlices
#include <tilestep/block/gemm_params.hpp>     // MatrixLayout
#include <tilestep/block/pipeline.hpp>        // Pipeline

#include <catch2/catch_test_macros.hpp>  // CHECK

#include <cmath>   // std::abs
#include <limits>  // NaN
#include <string>  // targets
#include <vector>  // matrices

using namespace tilestep;

namespace {

constexpr int sum_at(std::int64_t m, std::int64_t n) { return int((m * 13 + n * 5) % 41) - 20; }

/// Stores sums that depend on their place alone. A block for each tile, one column of tiles after the other.
template <class Config, class TNarrow>
struct StoreSums {
  using Sums = SumsToMemory<Config>;
  using TSum = typename Config::Mma::ValC;
  using E =
      Epilogue<std::conditional_t<std::is_same_v<TSum, std::int32_t>, std::int32_t, float>, TNarrow, MatrixLayout>;
  struct Params {
    E epilogue;
  };
  struct Shared {
    SharedArray<TSum, cosize_v<typename Sums::Smem>> sums;
  };
  static constexpr char const* name = "StoreSums";
  static constexpr int threads = Config::threads;

  TS_DEVICE void operator()(Shared& memory, Params const& p) const {
    auto const [M, N, L] = p.epilogue.layout_c.shape();
    auto const [tile_m, tile_n, l] =
        idx2crd(std::int64_t(block_index()),
                make_shape(ceil_div(M, typename Config::BlkM{}), ceil_div(N, typename Config::BlkN{}), L));
    auto const first = make_coord(tile_m * typename Config::BlkM{}, tile_n * typename Config::BlkN{}, l);
    auto const mma = Config::Mma::slice(thread_index());
    // (BLK_M,BLK_N) -> (m,n)
    auto const tile = make_identity_tensor(make_shape(typename Config::BlkM{}, typename Config::BlkN{}));
    auto rC = mma.partition_fragment_C(tile);  // (MMA,MMA_M,MMA_N)
    auto const tCcC = mma.partition_C(tile);  // (MMA,MMA_M,MMA_N) -> (m,n)
    for (int i = 0; i < int(size(tCcC)); ++i)
      rC.data()[rC.layout()(i)] =
          TSum(float(sum_at(get<0>(first) + get<0>(tCcC(i)), get<1>(first) + get<1>(tCcC(i)) + l)));
    Sums::store(p.epilogue, shared(memory.sums, "sC"), rC, first);
  }
};

/// What is asked of an epilogue.
struct Asked {
  int m, n, batch;
  bool narrow, bias, residual;
  Activation activation;
  int alpha, beta;
  int gap = 0;  ///< more than N, from row to row
  bool bias_of_rows = false;  ///< one number for each row of C, as where C^T is computed

  [[nodiscard]] std::string words() const {
    return std::to_string(m) + " x " + std::to_string(n) + " x " + std::to_string(batch) + (narrow ? ", narrow" : "") +
           (bias ? ", bias" : "") + (residual ? ", residual" : "") + ", activation " + std::to_string(int(activation)) +
           ", alpha " + std::to_string(alpha) + ", beta " + std::to_string(beta) + ", gap " + std::to_string(gap) +
           (bias_of_rows ? ", bias of rows" : "");
  }
};

MatrixLayout rows_of(int m, int n, int batch, int line) {
  return MatrixLayout(make_shape(std::int64_t(m), std::int64_t(n), std::int64_t(batch)),
                      make_stride(std::int64_t(line), std::int64_t(1), std::int64_t(m) * line));
}

constexpr int before_at(int m, int n) { return (m * 3 + n * 7) % 9 - 4; }
constexpr int bias_at(int i) { return i % 11 - 5; }
constexpr int residual_at(int m, int n) { return (m * 5 + n) % 7 - 3; }

/// Runs `go(epilogue)`, which stores sum_of(m, n, l), and checks each element of C, and what lies between its rows.
template <class E, class T, class Go, class Sum>
KernelReport check_stored_as(Asked const& asked, Go&& go, Sum&& sum_of) {
  using TScale = typename E::TScale;
  int const line = asked.n + asked.gap, other_line = line + 16, count = asked.m * asked.batch;
  T const untouched = T(float(77));
  std::vector<T> c(std::size_t(count * line), untouched), residual(std::size_t(count * other_line), T(float(99)));
  int const biases = asked.bias_of_rows ? asked.m : asked.n;
  std::vector<TScale> bias(static_cast<std::size_t>(biases));
  for (int i = 0; i < biases; ++i) bias[std::size_t(i)] = TScale(bias_at(i));
  for (int row = 0; row < count; ++row) {
    for (int n = 0; n < asked.n; ++n) {
      if (asked.beta != 0) c[std::size_t(row * line + n)] = T(float(before_at(row, n)));
      residual[std::size_t(row * other_line + n)] = T(float(residual_at(row, n)));
    }
  }
  DeviceBuffer<T> device_c("C", count * line), device_residual("residual", count * other_line);
  DeviceBuffer<TScale> device_bias("bias", biases);
  device_c.upload(c.data(), count * line);
  device_residual.upload(residual.data(), count * other_line);
  device_bias.upload(bias.data(), biases);

  E e{};
  e.c = device_c.data();
  e.layout_c = rows_of(asked.m, asked.n, asked.batch, line);
  e.narrow = sizeof(T) < sizeof(TScale);
  e.wide = line * int(sizeof(T)) % 16 == 0 && other_line * int(sizeof(T)) % 16 == 0 && !asked.bias_of_rows;
  e.plain = asked.beta == 0 && !asked.bias && !asked.residual && asked.activation == Activation::none;
  e.activation = asked.activation;
  e.alpha = TScale(asked.alpha);
  e.beta = TScale(asked.beta);
  e.bias = asked.bias ? device_bias.data() : nullptr;
  e.layout_bias = MatrixLayout(e.layout_c.shape(), make_stride(std::int64_t(asked.bias_of_rows),
                                                               std::int64_t(!asked.bias_of_rows), std::int64_t(0)));
  e.residual = asked.residual ? device_residual.data() : nullptr;
  e.layout_residual = rows_of(asked.m, asked.n, asked.batch, other_line);
  go(e);
  device_c.download(c.data(), count * line);
  auto const report = take_reports().at(0);
  for (auto const& hazard : report.hazards) UNSCOPED_INFO(hazard.kind << ": " << hazard.message);
  CHECK(report.hazards.empty());

  int wrong = 0;
  for (int row = 0; row < count; ++row) {
    for (int n = 0; n < line; ++n) {
      double want = 77, allowed = 0;
      if (n < asked.n) {
        int const x = asked.alpha * sum_of(row % asked.m, n, row / asked.m) +
                      (asked.beta != 0 ? asked.beta * before_at(row, n) : 0) +
                      (asked.bias ? bias_at(asked.bias_of_rows ? row % asked.m : n) : 0);
        want = asked.activation == Activation::relu ? std::max(x, 0) : x;
        if (asked.activation == Activation::gelu) {
          want = x / (1 + std::exp2(-x * (gelu_a + gelu_b * x * x)));
          allowed = std::abs(want) * 0x1p-7 + 0x1p-7;  // rounded to 16 bits
        }
        if (asked.residual) want += residual_at(row, n);
      }
      double const got = double(float(c[std::size_t(row * line + n)]));
      if (!(std::abs(got - want) <= allowed) && wrong++ == 0)
        UNSCOPED_INFO("row " << row << ", column " << n << " has " << got << " and should have " << want);
    }
  }
  INFO(asked.words());
  CHECK(wrong == 0);
  return report;
}

template <class E, class Go, class Sum>
KernelReport check_stored(Asked const& asked, Go&& go, Sum&& sum_of) {
  if (asked.narrow) return check_stored_as<E, typename E::TNarrow>(asked, go, sum_of);
  return check_stored_as<E, typename E::TScale>(asked, go, sum_of);
}

/// Everything that an epilogue may be asked for, on a matrix of this shape.
std::vector<Asked> everything(int m, int n, int batch, int gap, bool in_f32) {
  std::vector<Asked> all;
  for (bool const narrow : {false, true}) {
    if (narrow && !in_f32) continue;
    for (Activation const activation : {Activation::none, Activation::relu, Activation::gelu}) {
      if (activation == Activation::gelu && !in_f32) continue;
      for (int const bits : {0, 1, 2, 3})
        all.push_back({m, n, batch, narrow, (bits & 1) != 0, (bits & 2) != 0, activation, bits == 3 ? 2 : 1,
                       bits == 2 ? -1 : 0, gap});
    }
  }
  return all;
}

template <class Op, class BlkTile, Route By, int Stages>
using Tested = Pipeline<GemmConfig<Op, BlkTile, typename MmaTraits<Op>::ValA, Contiguous::k, Contiguous::k,
                                   16 / int(sizeof(typename MmaTraits<Op>::ValA)), Arrangement::swizzled>,
                        By, Stages>;

template <class Config, class TNarrow>
KernelReport store_sums(std::string const& target, Asked const& asked) {
  using Kernel = StoreSums<Config, TNarrow>;
  set_run_options({.target = target, .schedule = {}, .check = true, .workers = 0});
  auto const go = [&](auto const& e) {
    int const tiles = ceil_div(asked.m, Config::BlkM::value) * ceil_div(asked.n, Config::BlkN::value) * asked.batch;
    launch(Kernel{}, tiles, typename Kernel::Params{e});
  };
  return check_stored<typename Kernel::E>(asked, go, [](int m, int n, int l) { return sum_at(m, n + l); });
}

template <class Config, class TNarrow, bool InF32 = true>
void check_all(std::string const& target) {
  constexpr int blk_m = Config::BlkM::value, blk_n = Config::BlkN::value;
  for (auto const [m, n, batch, gap] : {std::array{2 * blk_m, blk_n, 1, 0}, std::array{blk_m - 1, blk_n + 8, 2, 8},
                                        std::array{blk_m + 3, blk_n - 3, 1, 0}, std::array{1, 1, 1, 0}}) {
    for (Asked const& asked : everything(m, n, batch, gap, InF32)) store_sums<Config, TNarrow>(target, asked);
  }
}

// Sums of this tile leave in two slices, the upper and the lower half of C.
using Nvidia = Tested<SM80_16x8x16_F32F16F16F32_TN, BlockTile<64, 128, 32, 2, 2>, Route::async, 2>;
using Cdna = Tested<CDNA_32x32x8_F32F16F16F32, BlockTile<128, 64, 32, 2, 2>, Route::registers, 1>;

}  // namespace

TEST_CASE("sums arrive at their place in C from every warp, with every epilogue, at ragged edges and in batches",
          "[block][epilogue]") {
  static_assert(SumsToMemory<Nvidia>::passes_of_slice == 1 && SumsToMemory<Nvidia>::passes == 2);
  check_all<Nvidia, half_t>("sm80");
  check_all<Cdna, bfloat16_t>("gfx942");
}

TEST_CASE("a bias of C's rows reaches each of them, as where the transposed product is computed", "[block][epilogue]") {
  for (auto const [m, n, batch] : {std::array{64, 128, 1}, std::array{67, 125, 2}, std::array{128, 64, 1}}) {
    for (bool const narrow : {false, true}) {
      Asked const asked{m, n, batch, narrow, true, false, Activation::relu, 1, 0, 0, true};
      store_sums<Nvidia, half_t>("sm80", asked);
      store_sums<Cdna, bfloat16_t>("gfx942", asked);
    }
  }
}

TEST_CASE("sums of RDNA's warps, and whole sums, arrive as well", "[block][epilogue]") {
  check_all<Tested<RDNA3_16x16x16_F32F16F16F32, BlockTile<64, 64, 32, 2, 2>, Route::registers, 1>, half_t>("gfx1100");
  check_all<Tested<SM80_16x8x32_S32S8S8S32_TN, BlockTile<64, 64, 64, 2, 2>, Route::async, 2>, std::int32_t, false>(
      "sm90");
}

TEST_CASE("a tile of fewer vectors than threads leaves some of them nothing to store", "[block][epilogue]") {
  check_all<Tested<CDNA_16x16x16_F32F16F16F32, BlockTile<16, 64, 128, 1, 4>, Route::registers, 1>, half_t>("gfx942");
}

TEST_CASE(
    "rows leave by 16 bytes where they start at multiples of that, and else one by one; f32 goes through shared memory "
    "without a conflict",
    "[block][epilogue]") {
  Asked asked{.m = 64,
              .n = 128,
              .batch = 1,
              .narrow = false,
              .bias = false,
              .residual = false,
              .activation = Activation::none,
              .alpha = 1,
              .beta = 0};
  auto const wide = store_sums<Nvidia, half_t>("sm80", asked).counters;
  CHECK(wide.global_store_requests == 64 * 128 * 4 / 16 / 32);
  CHECK(wide.shared_load_requests == wide.global_store_requests);  // each vector is read once
  CHECK(wide.global_store_sectors == wide.global_store_sectors_ideal);
  CHECK(wide.shared_store_wavefronts == wide.shared_store_wavefronts_ideal);
  CHECK(wide.shared_load_wavefronts == wide.shared_load_wavefronts_ideal);
  asked.narrow = true;
  auto const narrow = store_sums<Nvidia, half_t>("sm80", asked).counters;
  CHECK(narrow.global_store_requests == 64 * 128 * 2 / 16 / 32);
  CHECK(narrow.global_store_sectors == narrow.global_store_sectors_ideal);
  asked.gap = 1;
  CHECK(store_sums<Nvidia, half_t>("sm80", asked).counters.global_store_requests == 64 * 128 / 32);
}

TEST_CASE("slices of K are added in every number, and the epilogue is applied once", "[block][epilogue]") {
  using E = Epilogue<float, half_t, MatrixLayout>;
  set_run_options({.target = "sm80", .schedule = {}, .check = true, .workers = 0});
  for (int const slices : {1, 3, 4, 9}) {
    for (auto const [m, n, batch] : {std::array{5, 264, 2}, std::array{9, 67, 1}}) {
      int const line = (n + 3) / 4 * 4, count = m * batch * slices;
      std::vector<float> sums(std::size_t(count * line), std::numeric_limits<float>::quiet_NaN());
      for (int row = 0; row < count; ++row) {
        for (int col = 0; col < n; ++col) sums[std::size_t(row * line + col)] = float(sum_at(row, col));
      }
      DeviceBuffer<float> device("sums", count * line);
      device.upload(sums.data(), count * line);
      auto const go = [&](E const& e) {
        auto const pass = [&](auto kernel) {
          FinishSlicesParams<E, MatrixLayout> const params{device.data(), rows_of(m, n, batch * slices, line), e};
          launch(kernel, size(decltype(kernel)::grid(params)), params);
        };
        if (e.wide && n % 4 == 0) pass(FinishSlices<E, MatrixLayout, 4>{});
        else pass(FinishSlices<E, MatrixLayout, 1>{});
      };
      auto const sum_of = [&](int row, int col, int l) {
        int sum = 0;
        for (int slice = 0; slice < slices; ++slice) sum += sum_at(row + (l + slice * batch) * m, col);
        return sum;
      };
      for (Asked const& asked : everything(m, n, batch, 0, true)) check_stored<E>(asked, go, sum_of);
    }
  }
}
