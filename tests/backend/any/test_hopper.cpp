// Hopper's own instructions do what they should, on the virtual GPU and on the device alike: copies by tensor map,
// wgmma, a ring of stages.

#include "device.hpp"           // need_device
#include "hopper_problems.hpp"  // kernels and their operands

#include <tilestep/backend/matrix_arithmetic.hpp>  // cut_to_f32
#include <tilestep/backend/runtime.hpp>            // take_reports, target

#include <catch2/catch_test_macros.hpp>  // TEST_CASE, CHECK

#include <algorithm>  // std::max
#include <cmath>      // std::ldexp, std::trunc

namespace {

using namespace hopper_test;

// Chooses Hopper, or skips the test on another device.
void need_hopper() {
  backend_test::need_device();
  if (std::string(device_name()) == "virtual GPU") {
    RunOptions options;
    options.target = "sm90";
    set_run_options(options);
  } else if (target().name != "sm90") {
    SKIP("needs a Hopper GPU");
  }
}

void check_reports() {
  for (KernelReport const& report : take_reports()) {
    for (Hazard const& hazard : report.hazards) UNSCOPED_INFO(hazard.kind << ": " << hazard.message);
    CHECK(report.hazards.empty());
  }
}

template <class Problem>
void check(Problem&& problem, std::int64_t blocks) {
  launch(typename std::remove_cvref_t<Problem>::Kernel{}, blocks, problem.params());
  CHECK(problem.wrong() == 0);
  check_reports();
}

template <TileSwizzle SWIZZLE, int ROWS, int Z>
void check_boxes() {
  for (int const x : {0, 8, 64, -8}) {
    for (int const y : {0, 5, 36, -3}) {
      for (int const z : Z == 1 ? std::vector<int>{0} : std::vector<int>{0, 2, -1}) {
        CAPTURE(int(SWIZZLE), ROWS, Z, x, y, z);
        check(BoxProblem<SWIZZLE, ROWS, Z>(x, y, z), 1);
      }
    }
  }
}

// D = A B (+ 1 where A is in registers) is exact.
template <int N, DType T, Major A, Major B, TileSwizzle SWIZZLE, bool A_IN_REGISTERS = false,
          class Kernel = TileProduct<N, T, A, B, SWIZZLE, A_IN_REGISTERS>>
void check_tile() {
  CAPTURE(N, int(T), int(A), int(B), int(SWIZZLE), A_IN_REGISTERS);
  using Problem = TileProblem<N, T, A, B, SWIZZLE, A_IN_REGISTERS>;
  Problem const problem([](int count, int salt) { return integers(count, salt, Problem::is_f16); });
  launch(Kernel{}, 1, problem.params());
  std::vector<float> const d = problem.result();
  int wrong = 0;
  for (int m = 0; m < 64; ++m) {
    for (int n = 0; n < N; ++n) {
      float sum = A_IN_REGISTERS ? 1 : 0;
      for (int k = 0; k < 64; ++k)
        sum += value_of(problem.a[std::size_t(m * 64 + k)], Problem::is_f16) *
               value_of(problem.b[std::size_t(n * 64 + k)], Problem::is_f16);
      wrong += !(d[std::size_t(m * N + n)] == sum);
    }
  }
  CHECK(wrong == 0);
  check_reports();
}

template <Major A, Major B, TileSwizzle SWIZZLE>
void check_filled() {
  check_tile<128, DType::bf16, A, B, SWIZZLE, false, FilledProduct<128, A, B, SWIZZLE>>();
}

template <Major A, Major B, TileSwizzle SWIZZLE>
void check_majors() {
  check_tile<64, DType::bf16, A, B, SWIZZLE>();
  check_tile<128, DType::f16, A, B, SWIZZLE>();
}

}  // namespace

TEST_CASE("a box comes and goes as its tensor map says, swizzled or not, past every edge of the matrix",
          "[hopper][tma]") {
  need_hopper();
  check_boxes<TileSwizzle::none, 16, 1>();
  check_boxes<TileSwizzle::bytes_32, 16, 1>();
  check_boxes<TileSwizzle::bytes_64, 24, 1>();
  check_boxes<TileSwizzle::bytes_128, 32, 1>();
  check_boxes<TileSwizzle::bytes_128, 8, 2>();
}

TEST_CASE("a row that ends within 16 bytes comes as far as it goes, and is written to the end of them",
          "[hopper][tma]") {
  need_hopper();
  for (int const width : {1, 3, 9, 33, 63, 66, 71}) {
    CAPTURE(width);
    check(BoxProblem<TileSwizzle::none, 16, 1>(0, 5, 0, width), 1);
    check(BoxProblem<TileSwizzle::bytes_128, 32, 1>(0, 8, 0, width), 1);
    check(BoxProblem<TileSwizzle::bytes_64, 8, 2>(width / 8 * 8, 2, 1, width), 1);
  }
}

TEST_CASE("wgmma multiplies tiles in every arrangement of shared memory", "[hopper][wgmma]") {
  need_hopper();
  check_majors<Major::k, Major::k, TileSwizzle::bytes_128>();
  check_majors<Major::k, Major::mn, TileSwizzle::bytes_128>();
  check_majors<Major::mn, Major::k, TileSwizzle::bytes_128>();
  check_majors<Major::mn, Major::mn, TileSwizzle::bytes_128>();
  check_majors<Major::k, Major::mn, TileSwizzle::bytes_64>();
  check_majors<Major::mn, Major::k, TileSwizzle::bytes_64>();
  check_majors<Major::k, Major::mn, TileSwizzle::bytes_32>();
  check_majors<Major::mn, Major::k, TileSwizzle::bytes_32>();
  check_majors<Major::k, Major::mn, TileSwizzle::none>();
  check_majors<Major::mn, Major::k, TileSwizzle::none>();
}

TEST_CASE("wgmma has every width that is a multiple of 8, and A in registers", "[hopper][wgmma]") {
  need_hopper();
  check_tile<8, DType::bf16, Major::k, Major::k, TileSwizzle::bytes_128>();
  check_tile<24, DType::f16, Major::k, Major::k, TileSwizzle::bytes_128>();
  check_tile<192, DType::bf16, Major::k, Major::mn, TileSwizzle::bytes_128>();
  check_tile<256, DType::bf16, Major::k, Major::k, TileSwizzle::bytes_128>();
  check_tile<64, DType::bf16, Major::k, Major::k, TileSwizzle::bytes_128, true>();
  check_tile<256, DType::f16, Major::k, Major::mn, TileSwizzle::bytes_128, true>();
}

TEST_CASE("wgmma finds elements where the layout of an operand's tile puts them", "[hopper][wgmma]") {
  need_hopper();
  check_filled<Major::k, Major::k, TileSwizzle::bytes_128>();
  check_filled<Major::mn, Major::k, TileSwizzle::bytes_64>();
  check_filled<Major::k, Major::mn, TileSwizzle::bytes_32>();
  check_filled<Major::mn, Major::mn, TileSwizzle::none>();
  check_filled<Major::k, Major::k, TileSwizzle::none>();
}

// C plus 16 products, all cut to `bits` below the leading bit of the largest before they are added; the sum is cut to
// f32.
float aligned_sum(float c, float const* a, float const* b, int bits) {
  int largest = c == 0 ? -1000 : std::ilogb(c);
  for (int i = 0; i < 16; ++i) {
    if (a[i] != 0 && b[i] != 0) largest = std::max(largest, std::ilogb(a[i]) + std::ilogb(b[i]));
  }
  double const unit = std::ldexp(1.0, bits - largest);
  double sum = std::trunc(double(c) * unit);
  for (int i = 0; i < 16; ++i) sum += std::trunc(double(a[i]) * double(b[i]) * unit);
  return virtual_gpu::cut_to_f32(sum / unit);
}

TEST_CASE("wgmma's sums have the bits of the model: 16 products at once, cut to 25 bits", "[hopper][wgmma]") {
  need_hopper();
  using Problem = TileProblem<64, DType::bf16, Major::k, Major::k, TileSwizzle::bytes_128, false>;
  for (int const spread : {0, 12}) {  // powers of two between the largest and the smallest numbers
    Problem const problem([&](int count, int salt) {
      Bits result(std::size_t(count), 0);
      for (int i = 0; i < count; ++i) {
        auto const mixed = (unsigned(i) + unsigned(salt) * 4099u) * 2654435761u;
        result[std::size_t(i)] =
            bfloat16_t(std::ldexp((float(mixed >> 8) * 0x1p-23f - 1) * 3, -int(mixed % unsigned(spread + 1)))).bits;
      }
      return result;
    });
    launch(Problem::Kernel{}, 1, problem.params());
    std::vector<float> const d = problem.result();
    int unlike = 0;
    for (int m = 0; m < 64; ++m) {
      for (int n = 0; n < 64; ++n) {
        float model = 0;
        for (int k = 0; k < 64; k += 16) {
          float x[16], y[16];
          for (int i = 0; i < 16; ++i) {
            x[i] = value_of(problem.a[std::size_t(m * 64 + k + i)], false);
            y[i] = value_of(problem.b[std::size_t(n * 64 + k + i)], false);
          }
          model = aligned_sum(model, x, y, 25);
        }
        unlike += d[std::size_t(m * 64 + n)] != model;
      }
    }
    CAPTURE(spread);
    CHECK(unlike == 0);
    check_reports();
  }
}

TEST_CASE("a ring of stages, in one block and in clusters that share an operand, multiplies matrices",
          "[hopper][ring]") {
  need_hopper();
  check(RingProblem<64, 2, 1, 1>(2, 2, 5, 2), 2);
  check(RingProblem<128, 3, 2, 1>(1, 3, 4, 2), 2);
  check(RingProblem<64, 3, 2, 2>(2, 2, 4, 2), 4);
  check(RingProblem<256, 3, 2, 2>(1, 1, 3, 1), 2);
}
