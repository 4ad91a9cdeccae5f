// What kernels make of a sum: GELU within its bound over all sizes of numbers, ReLU exactly, NaN as it was.

#include <tilestep/atom/half.hpp>         // half_t
#include <tilestep/backend/launch.hpp>    // launch
#include <tilestep/backend/pointer.hpp>   // global
#include <tilestep/backend/runtime.hpp>   // DeviceBuffer
#include <tilestep/block/activation.hpp>  // activate

#include <catch2/catch_test_macros.hpp>

#include <cmath>    // std::tanh
#include <cstdlib>  // std::getenv
#include <limits>   // infinity, NaN
#include <numbers>  // std::numbers::pi
#include <vector>   // numbers

using namespace tilestep;

namespace {

template <class T> struct ActivateParams {
  T const* from;
  T* to;
  int count;
  Activation activation;
};

template <class T> struct ActivateAll {
  using Params = ActivateParams<T>;
  using Shared = NoShared;
  static constexpr char const* name = "ActivateAll";
  static constexpr int threads = 128;
  TS_DEVICE void operator()(Shared&, Params const& p) const {
    int const i = int(block_index()) * threads + thread_index();
    if (i < p.count) global(p.to)[i] = activate(p.activation, T(global(p.from)[i]));
  }
};

void need_device() {
  try {
    require_device();
  } catch (Error const& error) {
    char const* const required = std::getenv("TILESTEP_REQUIRE_DEVICE");
    if (required != nullptr && required[0] == '1') FAIL("needs a device: " << error.what());
    SKIP("needs a device: " << error.what());
  }
}

template <class T> std::vector<T> activated_there(Activation activation, std::vector<T> const& numbers) {
  using Kernel = ActivateAll<T>;
  auto const count = std::int64_t(numbers.size());
  DeviceBuffer<T> from("numbers", count), to("results", count);
  from.upload(numbers.data(), count);
  launch(Kernel{}, (count + Kernel::threads - 1) / Kernel::threads,
         ActivateParams<T>{from.data(), to.data(), int(count), activation});
  synchronize();
  std::vector<T> results(numbers.size());
  to.download(results.data(), count);
  return results;
}

// Both signs of sizes from 2^-30 to the largest, 64 in each octave around 1.
template <class T> std::vector<T> sizes() {
  std::vector<T> numbers{T(0), -T(0)};
  for (int octave = -30; octave < std::numeric_limits<T>::max_exponent; ++octave) {
    int const steps = octave >= -8 && octave < 6 ? 64 : 2;
    for (int i = 0; i < steps; ++i) {
      T const x = std::ldexp(1 + T(i) / T(steps), octave);
      numbers.insert(numbers.end(), {x, -x});
    }
  }
  return numbers;
}

// What activation.hpp promises. @param u  the unit roundoff of T
template <class T> long double bound(long double x, long double u) {
  long double const t = std::abs(x) * (gelu_a + gelu_b * x * x), s = 1 / (1 + std::exp2(x < 0 ? t : -t));
  return std::abs(x) * (s * ((t > 1000 ? 0 : (1 - s) * (4 * t * u + 4 * u)) + 4 * u) + std::numeric_limits<T>::min());
}

}  // namespace

TEST_CASE("GELU of a kernel is within its bound of the tanh form, and finite for finite numbers", "[block][epilogue]") {
  need_device();
  std::vector<float> const numbers = sizes<float>(), got = activated_there(Activation::gelu, numbers);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    double const x = numbers[i];
    double const tanh_form = x / 2 * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x)));
    double const want = x / (1 + std::exp2(-x * (gelu_a + gelu_b * x * x)));
    INFO("x " << x << ", got " << got[i] << ", want " << want);
    CHECK(std::abs(want - tanh_form) <= 1e-14 * (1 + std::abs(x)));
    CHECK(std::abs(got[i] - want) <= double(bound<float>(x, 0x1p-24L)));
  }
}

TEST_CASE("GELU of f64 is within its bound of the tanh form, and 2^x keeps all but two bits",
          "[block][epilogue][f64]") {
  need_device();
  using Wide = long double;
  std::vector<double> const numbers = sizes<double>(), got = activated_there(Activation::gelu, numbers);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    Wide const x = numbers[i], y = std::sqrt(2 / std::numbers::pi_v<Wide>) * (x + 0.044715L * x * x * x),
               want = x / (1 + std::exp(-2 * y));
    INFO("x " << numbers[i] << ", got " << got[i] << ", want " << double(want));
    CHECK(std::isfinite(got[i]));
    CHECK(std::abs(got[i] - want) <= bound<double>(x, 0x1p-53L));
  }
  for (double x = -1022; x <= 1023.49; x += 0.0137) {
    Wide const want = std::exp2(Wide(x));
    INFO("x " << x);
    CHECK(std::abs(exp2_f64(x) - want) <= 0x1p-52L * want);  // half of the bound: without its last term it is more
  }
  CHECK(exp2_f64(-1022.5) == 0);
  CHECK(std::isfinite(exp2_f64(1023.49)));
  CHECK(exp2_f64(1024) == std::numeric_limits<double>::infinity());
}

TEST_CASE("ReLU and no activation are exact, and NaN stays NaN", "[block][epilogue]") {
  need_device();
  std::vector<float> const numbers = sizes<float>();
  std::vector<float> const relu = activated_there(Activation::relu, numbers),
                           none = activated_there(Activation::none, numbers);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    CHECK(relu[i] == (numbers[i] > 0 ? numbers[i] : 0));
    CHECK(none[i] == numbers[i]);
  }
  float const infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  for (Activation each : {Activation::none, Activation::relu, Activation::gelu}) {
    std::vector<float> const got = activated_there<float>(each, {infinity, nan});
    CHECK(got[0] == infinity);
    CHECK(std::isnan(got[1]));
    std::vector<double> const in_f64 = activated_there<double>(each, {infinity, nan});
    CHECK(in_f64[0] == double(infinity));
    CHECK(std::isnan(in_f64[1]));
  }
  CHECK(activate(Activation::relu, -3) == 0);
  CHECK(activate(Activation::relu, 3) == 3);
  CHECK(float(activate(Activation::relu, half_t(-3.0f))) == 0);
  CHECK(float(activate(Activation::gelu, half_t(1.0f))) == float(half_t(0.84119f)));
}
