// wgmma of every type, on the virtual GPU and on the device alike: exact sums of small integers from tiles in shared
// memory and from registers, and the bits of sums that are not exact.

#include "device.hpp"         // need_device
#include "typed_product.hpp"  // TypedProduct

#include <tilestep/atom/float8.hpp>                // float_e4m3_t, float_e5m2_t
#include <tilestep/backend/matrix_arithmetic.hpp>  // value_of, f16_of_f32
#include <tilestep/backend/runtime.hpp>            // DeviceBuffer, take_reports, target

#include <catch2/catch_test_macros.hpp>  // TEST_CASE, CHECK

#include <algorithm>  // std::clamp, std::max, std::min
#include <bit>        // std::bit_cast
#include <cmath>      // std::ldexp, std::nearbyint, std::trunc
#include <vector>     // matrices

using namespace hopper_test;
using enum DType;

namespace {

std::uint32_t encoded(DType type, float value) {
  switch (type) {
    case f16: return virtual_gpu::f16_of_f32(value);
    case bf16: return bfloat16_t(value).bits;
    case e4m3: return float_e4m3_t(value).bits;
    case e5m2: return float_e5m2_t(value).bits;
    case i8:
    case u8: return std::uint32_t(int(value)) & 0xffu;
    default: return std::bit_cast<std::uint32_t>(value);
  }
}
template <DType T>
double decoded(std::uint32_t bits) { return double(virtual_gpu::value_of<T>(bits)); }

/// A (64,K), B (N,K) and the sums C (64,N) of a run.
template <class Op, TileSwizzle SWIZZLE>
struct Ran {
  using Kernel = TypedProduct<Op, SWIZZLE>;
  static constexpr int N = Op::N, K = Kernel::K;
  std::vector<double> a = std::vector<double>(64 * K), b = std::vector<double>(N * K), c = std::vector<double>(64 * N);

  /// @param make (type, i, salt) -> a number   @param before  that the sums begin with
  template <class Make>
  Ran(Make&& make, double before) {
    using Bits = typename Kernel::Bits;
    using Register = typename Op::CRegister;
    std::vector<Bits> bits_a(a.size()), bits_b(b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      bits_a[i] = Bits(encoded(Op::a, make(Op::a, i, 3)));
      a[i] = decoded<Op::a>(bits_a[i]);
    }
    for (std::size_t i = 0; i < b.size(); ++i) {
      bits_b[i] = Bits(encoded(Op::b, make(Op::b, i, 11)));
      b[i] = decoded<Op::b>(bits_b[i]);
    }
    DeviceBuffer<Bits> device_a("A", 64 * K), device_b("B", N * K);
    DeviceBuffer<Register> device_c("C", 128 * Op::c_registers);
    device_a.upload(bits_a.data(), 64 * K);
    device_b.upload(bits_b.data(), N * K);
    Register start{};
    if constexpr (Op::c == f16) start = virtual_gpu::f16_of_f32(float(before)) * 0x10001u;
    else start = Register(before);
    launch(Kernel{}, 1, typename Kernel::Params{device_a.data(), device_b.data(), start, device_c.data()});
    std::vector<Register> registers(128 * Op::c_registers);
    device_c.download(registers.data(), 128 * Op::c_registers);
    for (int thread = 0; thread < 128; ++thread) {
      for (int i = 0; i < N / 2; ++i) {
        int const m = thread / 32 * 16 + thread % 32 / 4 + i / 2 % 2 * 8, n = i / 4 * 8 + thread % 4 * 2 + i % 2;
        Register const* const mine = &registers[std::size_t(thread * Op::c_registers)];
        double& sum = c[std::size_t(m * N + n)];
        if constexpr (Op::c == f16) sum = decoded<f16>(mine[i / 2] >> (i % 2 * 16) & 0xffffu);
        else sum = double(mine[i]);
      }
    }
    for (KernelReport const& report : take_reports()) {
      for (Hazard const& hazard : report.hazards) UNSCOPED_INFO(hazard.kind << ": " << hazard.message);
      CHECK(report.hazards.empty());
    }
  }
};

unsigned mixed(std::size_t i, int salt) { return (unsigned(i) + unsigned(salt) * 4099u) * 2654435761u; }

// All of their range for bytes, -3 .. 3 for the others: every sum is exact. 32-bit sums of integers wrap around.
float integer(DType type, std::size_t i, int salt) {
  unsigned const bits = mixed(i, salt) >> 8;
  return type == i8 ? float(int(bits % 256) - 128) : type == u8 ? float(bits % 256) : float(int(bits % 7) - 3);
}

/// @param before  that the sums begin with; of integers the largest, so that some leave the range
template <class Op, TileSwizzle SWIZZLE = TileSwizzle::bytes_128>
void check_exact(double before = Op::c == i32 ? 2147483647.0 : 5) {
  INFO(Op::name << ", swizzle " << int(SWIZZLE) << ", from " << before);
  Ran<Op, SWIZZLE> const ran(integer, before);
  int wrong = 0;
  for (std::size_t m = 0; m < 64; ++m) {
    for (std::size_t n = 0; n < Op::N; ++n) {
      double sum = before;
      for (std::size_t k = 0; k < ran.K; ++k) {
        sum += ran.a[m * ran.K + k] * ran.b[n * ran.K + k];
        // The sum of each instruction is limited, none in between.
        if (Op::saturates && k % Op::K == Op::K - 1) sum = std::clamp(sum, -2147483648.0, 2147483647.0);
      }
      if (Op::c == i32) sum = std::int32_t(std::uint32_t(std::int64_t(sum)));
      wrong += ran.c[m * Op::N + n] != sum;
    }
  }
  CHECK(wrong == 0);
}

/// C plus the products of one instruction, each cut to `bits` below the leading bit of the largest before they are
/// added; the sum is rounded once to f16, or cut to f32, or to `bits` behind its leading one.
template <class Op>
double aligned_sum(double c, double const* a, double const* b, int bits) {
  auto const exponent = [](DType type, double value) {
    int const smallest = type == e4m3 ? -6 : type == f16 || type == e5m2 ? -14 : -126;
    return std::max(std::ilogb(value), smallest);
  };
  int largest = c == 0 ? -1000 : exponent(Op::c, c);
  for (int k = 0; k < Op::K; ++k) {
    if (a[k] != 0 && b[k] != 0) largest = std::max(largest, exponent(Op::a, a[k]) + exponent(Op::b, b[k]));
  }
  double const unit = std::ldexp(1.0, bits - largest);
  double sum = std::trunc(c * unit);
  for (int k = 0; k < Op::K; ++k) sum += std::trunc(a[k] * b[k] * unit);
  sum /= unit;
  if (sum == 0) return 0;
  if (Op::c == f16) {
    double const ulp = std::ldexp(1.0, std::max(std::ilogb(sum), -14) - 10);
    return std::nearbyint(sum / ulp) * ulp;
  }
  double const last = std::ldexp(1.0, std::min(bits, 23) - std::ilogb(sum));
  return std::trunc(sum * last) / last;
}

/// Numbers of many sizes: sums are not exact.
template <class Op>
void check_bits(int bits) {
  INFO(Op::name);
  for (int const spread : {0, 6, 9}) {  // powers of two between the largest and the smallest numbers
    auto const make = [&](DType, std::size_t i, int salt) {
      unsigned const some = mixed(i, salt);
      return std::ldexp((float(some >> 8) * 0x1p-23f - 1) * 3, -int(some % unsigned(spread + 1)));
    };
    Ran<Op, TileSwizzle::bytes_128> const ran(make, 0.5);
    int unlike = 0;
    for (std::size_t m = 0; m < 64; ++m) {
      for (std::size_t n = 0; n < Op::N; ++n) {
        double sum = 0.5;
        for (std::size_t k = 0; k < ran.K; k += Op::K)
          sum = aligned_sum<Op>(sum, &ran.a[m * ran.K + k], &ran.b[n * ran.K + k], bits);
        unlike += ran.c[m * Op::N + n] != sum;
      }
    }
    CAPTURE(spread);
    CHECK(unlike == 0);
  }
}

// Chooses Hopper, or skips the test on another device.
void need_hopper() {
  backend_test::need_device();
  RunOptions options;
  options.target = "sm90";
  if (std::string(device_name()) == "virtual GPU") set_run_options(options);
  else if (target().name != "sm90") SKIP("needs a Hopper GPU");
}

}  // namespace

TEST_CASE("wgmma multiplies tf32, FP8 and integers of 8 bits, and adds in f16", "[hopper][wgmma]") {
  need_hopper();
  check_exact<SM90_64xN_SS<64, f32, tf32, tf32>>();
  check_exact<SM90_64xN_SS<64, f32, e4m3, e4m3>>();
  check_exact<SM90_64xN_SS<64, f32, e4m3, e5m2>>();
  check_exact<SM90_64xN_SS<64, f32, e5m2, e4m3>>();
  check_exact<SM90_64xN_SS<64, f32, e5m2, e5m2>>();
  check_exact<SM90_64xN_SS<64, f16, f16, f16>>();
  check_exact<SM90_64xN_SS<64, f16, e4m3, e4m3>>();
  check_exact<SM90_64xN_SS<64, f16, e4m3, e5m2>>();
  check_exact<SM90_64xN_SS<64, f16, e5m2, e4m3>>();
  check_exact<SM90_64xN_SS<64, f16, e5m2, e5m2>>();
  check_exact<SM90_64xN_SS<64, i32, i8, i8>>();
  check_exact<SM90_64xN_SS<64, i32, i8, u8>>();
  check_exact<SM90_64xN_SS<64, i32, u8, i8>>();
  check_exact<SM90_64xN_SS<64, i32, u8, u8>>();
}

TEST_CASE("wgmma of these types has the same widths, swizzles and registers of A", "[hopper][wgmma]") {
  need_hopper();
  check_exact<SM90_64xN_SS<8, f16, f16, f16>>();
  check_exact<SM90_64xN_SS<24, f16, e4m3, e5m2>>();
  check_exact<SM90_64xN_SS<256, f16, f16, f16>>();
  check_exact<SM90_64xN_SS<256, i32, i8, i8>>();
  check_exact<SM90_64xN_SS<24, i32, u8, i8>>();
  check_exact<SM90_64xN_SS<128, f32, tf32, tf32>, TileSwizzle::bytes_64>();
  check_exact<SM90_64xN_SS<128, f32, e5m2, e4m3>, TileSwizzle::bytes_32>();
  check_exact<SM90_64xN_SS<96, i32, i8, u8>, TileSwizzle::none>();
  check_exact<SM90_64xN_SS<96, f32, tf32, tf32>, TileSwizzle::none>();
  check_exact<SM90_64xN_SS<128, f16, f16, f16, Major::mn, Major::mn>>();
  check_exact<SM90_64xN_RS<64, f32, tf32, tf32>>();
  check_exact<SM90_64xN_RS<64, f32, e4m3, e5m2>>();
  check_exact<SM90_64xN_RS<64, f16, f16, f16, Major::mn>>();
  check_exact<SM90_64xN_RS<64, f16, e5m2, e4m3>>();
  check_exact<SM90_64xN_RS<64, i32, u8, i8>>();
}

TEST_CASE("wgmma with satfinite stops sums of integers at the ends of their range", "[hopper][wgmma]") {
  need_hopper();
  for (double const before : {2147483647.0, -2147483648.0, 2147400000.0, -2147400000.0}) {
    check_exact<SM90_64xNx32_SS_SATURATE<64, i8, i8>>(before);
    check_exact<SM90_64xNx32_SS_SATURATE<96, i8, u8>, TileSwizzle::none>(before);
    check_exact<SM90_64xNx32_SS_SATURATE<8, u8, i8>>(before);
    check_exact<SM90_64xNx32_SS_SATURATE<256, u8, u8>>(before);
    check_exact<SM90_64xNx32_RS_SATURATE<64, u8, i8>>(before);
    check_exact<SM90_64xNx32_RS_SATURATE<24, i8, i8>>(before);
  }
}

TEST_CASE("wgmma's sums of these types have the bits of the model", "[hopper][wgmma]") {
  need_hopper();
  check_bits<SM90_64xN_SS<64, f32, tf32, tf32>>(25);
  check_bits<SM90_64xN_SS<64, f16, f16, f16>>(25);
  check_bits<SM90_64xN_SS<64, f32, e4m3, e4m3>>(13);
  check_bits<SM90_64xN_SS<64, f32, e5m2, e4m3>>(13);
  check_bits<SM90_64xN_SS<64, f16, e4m3, e5m2>>(13);
}
