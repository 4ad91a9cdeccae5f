// IREE's example on one matrix instruction: what is read from where, what is written, and that nothing else is.

#include "iree.hpp"  // IreeMatmul

#include <tilestep/backend/launch.hpp>  // launch, DeviceBuffer, take_reports

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

#include <cmath>    // std::isnan
#include <cstdint>  // std::uint32_t
#include <string>   // targets
#include <vector>   // arrays

using namespace tilestep;

namespace {

struct Arrays {
  std::vector<half_t> a = std::vector<half_t>(42 * 32), b = std::vector<half_t>(32 * 64),
                      c = std::vector<half_t>(42 * 64);
};

/// Runs the kernel on copies. @return what c holds afterwards
std::vector<half_t> run_on(Arrays const& in) {
  DeviceBuffer<half_t> a("a", 42 * 32), b("b", 32 * 64), c("c", 42 * 64);
  a.upload(in.a.data(), 42 * 32);
  b.upload(in.b.data(), 32 * 64);
  c.upload(in.c.data(), 42 * 64);
  launch(IreeMatmul{}, 1, IreeParams{a.data(), b.data(), c.data()});
  synchronize();
  std::vector<half_t> out(42 * 64);
  c.download(out.data(), 42 * 64);
  return out;
}

/// No device, or one without the instruction: the reason.
std::string not_possible() {
  try {
    require_device();
    set_run_options({});
  } catch (Error const& error) {
    return error.what();
  }
  return has_instruction<SM80_16x8x16_F16F16F16F16_TN>(target().name) ? "" : "needs a target with mma.sync";
}

/// Small whole numbers, all different enough that no exchange of indices goes unseen; every sum is exact in f16.
Arrays whole_numbers() {
  Arrays in;
  for (std::size_t i = 0; i < in.a.size(); ++i) in.a[i] = half_t(float(int(i * 37 % 11) - 5));
  for (std::size_t i = 0; i < in.b.size(); ++i) in.b[i] = half_t(float(int(i * 53 % 13) - 6));
  for (std::size_t i = 0; i < in.c.size(); ++i) in.c[i] = half_t(float(int(i * 29 % 17) - 8));
  return in;
}

}  // namespace

TEST_CASE("IREE's m16n8k16: a[1+m][3+k] times b[3+k][3+n] is added to c[m][n], and the rest of c is untouched",
          "[chapter][05][iree]") {
  if (auto const reason = not_possible(); !reason.empty()) SKIP(reason);
  Arrays const in = whole_numbers();
  std::vector<half_t> const out = run_on(in);
  int wrong = 0;
  for (std::size_t m = 0; m < 42; ++m) {
    for (std::size_t n = 0; n < 64; ++n) {
      float want = float(in.c[m * 64 + n]);
      for (std::size_t k = 0; k < 16 && m < 16 && n < 8; ++k)
        want += float(in.a[(1 + m) * 32 + 3 + k]) * float(in.b[(3 + k) * 64 + 3 + n]);
      float const got = float(out[m * 64 + n]);
      if (!(got == want) && wrong++ == 0) {
        INFO("c[" << m << "][" << n << "] is " << got << " and should be " << want);
        CHECK(got == want);
      }
    }
  }
  CHECK(wrong == 0);
  for (KernelReport const& report : take_reports()) CHECK(report.hazards.empty());
}

TEST_CASE("IREE's m16n8k16 reads nothing outside of its three windows", "[chapter][05][iree]") {
  if (auto const reason = not_possible(); !reason.empty()) SKIP(reason);
  half_t const nan = half_t::from_bits(0x7e01);
  Arrays in = whole_numbers();
  for (std::size_t m = 0; m < 42; ++m) {
    for (std::size_t k = 0; k < 32; ++k) if (m < 1 || m >= 17 || k < 3 || k >= 19) in.a[m * 32 + k] = nan;
    for (std::size_t n = 0; n < 64; ++n) if (m >= 16 || n >= 8) in.c[m * 64 + n] = nan;
  }
  for (std::size_t k = 0; k < 32; ++k) {
    for (std::size_t n = 0; n < 64; ++n) if (k < 3 || k >= 19 || n < 3 || n >= 11) in.b[k * 64 + n] = nan;
  }
  std::vector<half_t> const out = run_on(in);
  int nans_inside = 0, changed_outside = 0;
  for (std::size_t m = 0; m < 42; ++m) {
    for (std::size_t n = 0; n < 64; ++n) {
      half_t const got = out[m * 64 + n];
      if (m < 16 && n < 8) nans_inside += std::isnan(float(got));
      else changed_outside += got.bits != nan.bits;
    }
  }
  CHECK(nans_inside == 0);
  CHECK(changed_outside == 0);
  (void)take_reports();
}

TEST_CASE("IREE's m16n8k16 is one matrix instruction that sums in f16", "[chapter][05][iree]") {
  if (auto const reason = not_possible(); !reason.empty()) SKIP(reason);
  Arrays in;
  for (half_t& each : in.a) each = half_t(1.0f);
  for (half_t& each : in.b) each = half_t(0.0f);
  for (std::size_t n = 3; n < 11; ++n) in.b[3 * 64 + n] = half_t(0.5f);  // k = 0 alone
  for (half_t& each : in.c) each = half_t(2048.0f);  // neighbours are 2 apart: adding 0.5 changes nothing
  std::vector<half_t> const out = run_on(in);
  for (std::size_t i = 0; i < out.size(); ++i) REQUIRE(float(out[i]) == 2048.0f);
  auto const reports = take_reports();
  REQUIRE(reports.size() == 1);
  if constexpr (describes_tensors) {
    auto const& ran = reports[0].counters.matrix_instructions;
    REQUIRE(ran.size() == 1);
    CHECK(ran[0] == InstructionCount{"mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", 1});
  }
}

TEST_CASE("IREE's m16n8k16 reads each element of its windows once, and no transposed copy of B is in memory",
          "[chapter][05][iree]") {
  if (auto const reason = not_possible(); !reason.empty()) SKIP(reason);
  constexpr int arrays = 42 * 32 + 32 * 64 + 42 * 64, of_c = 42 * 64, windows = 16 * 16 + 8 * 16 + 16 * 8;
  STATIC_CHECK(sizeof(IreeMatmul::Shared) == arrays * sizeof(half_t));  // the three arrays and nothing else
  (void)run_on(whole_numbers());
  auto const reports = take_reports();
  REQUIRE(reports.size() == 1);
  if constexpr (describes_tensors) {
    Counters const& counted = reports[0].counters;
    CHECK(reports[0].shared_bytes == arrays * 2);
    // Shared memory takes the arrays and the window of C; it gives the windows and C. A copy would be written and read.
    CHECK(counted.shared_store_bytes == 2 * (arrays + 16 * 8));
    CHECK(counted.shared_load_bytes == 2 * (windows + of_c));
    // A warp reads 32 elements at a time: 8 + 4 + 4 of the windows, the registers of one thread.
    CHECK(counted.shared_load_requests == windows / 32 + of_c / 32);
    CHECK(counted.shared_store_requests == arrays / 32 + 16 * 8 / 32);
    CHECK(counted.global_load_bytes == 2 * arrays);
    CHECK(counted.global_store_bytes == 2 * of_c);
    CHECK(counted.barriers == 2);
    CHECK(counted.shuffles == 0);  // nor is B transposed on its way: no thread hands a register to another
    CHECK(counted.warp_syncs == 0);
  }
}

TEST_CASE("IREE's m16n8k16 takes eight registers of a thread: what the instruction takes, and no second B",
          "[chapter][05][iree]") {
  using Op = SM80_16x8x16_F16F16F16F16_TN;
  using Mma = decltype(make_tiled_mma(MmaAtom<Op>{}));
  std::vector<half_t> window(16 * 16);
  auto const tile = [&](auto shape, auto stride) { return make_tensor(window.data(), shape, stride); };
  // As in the kernel, from a B whose lines are N; a fragment's size and strides are known when it is compiled.
  auto rA = make_fragment_like(Mma::slice(0).partition_A(tile(Shape<_16, _16>{}, Stride<_16, _1>{})));
  auto rB = make_fragment_like(Mma::slice(0).partition_B(tile(Shape<_8, _16>{}, Stride<_1, _8>{})));
  auto rC = make_fragment_like(Mma::slice(0).partition_C(tile(Shape<_16, _8>{}, Stride<_8, _1>{})));
  constexpr auto in_a = cosize_v<decltype(rA.layout())>, in_b = cosize_v<decltype(rB.layout())>,
                 in_c = cosize_v<decltype(rC.layout())>;
  STATIC_CHECK(in_a == 16 * 16 / 32);  // each element of a window in one thread
  STATIC_CHECK(in_b == 8 * 16 / 32);
  STATIC_CHECK(in_c == 16 * 8 / 32);
  STATIC_CHECK((in_a + in_b + in_c) * sizeof(half_t) == 8 * sizeof(std::uint32_t));
  STATIC_CHECK(Op::a_values == in_a);
  STATIC_CHECK(Op::b_values == in_b);
  STATIC_CHECK(Op::c_values == in_c);
}
