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

struct ActivateParams {
  float const* from;
  float* to;
  int count;
  Activation activation;
};

struct ActivateAll {
  using Params = ActivateParams;
  using Shared = NoShared;
  static constexpr char const* name = "ActivateAll";
  static constexpr int threads = 128;
  TS_DEVICE void operator()(Shared&, Params const& p) const {
    int const i = int(block_index()) * threads + thread_index();
    if (i < p.count) global(p.to)[i] = activate(p.activation, float(global(p.from)[i]));
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

std::vector<float> activated_there(Activation activation, std::vector<float> const& numbers) {
  auto const count = std::int64_t(numbers.size());
  DeviceBuffer<float> from("numbers", count), to("results", count);
  from.upload(numbers.data(), count);
  launch(ActivateAll{}, (count + ActivateAll::threads - 1) / ActivateAll::threads,
         ActivateParams{from.data(), to.data(), int(count), activation});
  synchronize();
  std::vector<float> results(numbers.size());
  to.download(results.data(), count);
  return results;
}

// Both signs of sizes from 2^-30 to 2^127, 64 in each octave around 1.
std::vector<float> sizes() {
  std::vector<float> numbers{0.0f, -0.0f};
  for (int octave = -30; octave < 128; ++octave) {
    int const steps = octave >= -8 && octave < 6 ? 64 : 2;
    for (int i = 0; i < steps; ++i) {
      float const x = std::ldexp(1 + float(i) / float(steps), octave);
      numbers.insert(numbers.end(), {x, -x});
    }
  }
  return numbers;
}

double bound(double x) {
  double const t = std::abs(x) * (gelu_a + gelu_b * x * x), s = 1 / (1 + std::exp2(x < 0 ? t : -t));
  return std::abs(x) * (s * ((t > 1000 ? 0 : (1 - s) * (4 * t * 0x1p-24 + 0x1p-22)) + 0x1p-22) + 0x1p-126);
}

}  // namespace

TEST_CASE("GELU of a kernel is within its bound of the tanh form, and finite for finite numbers", "[block][epilogue]") {
  need_device();
  std::vector<float> const numbers = sizes(), got = activated_there(Activation::gelu, numbers);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    double const x = numbers[i];
    double const tanh_form = x / 2 * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x)));
    double const want = x / (1 + std::exp2(-x * (gelu_a + gelu_b * x * x)));
    INFO("x " << x << ", got " << got[i] << ", want " << want);
    CHECK(std::abs(want - tanh_form) <= 1e-14 * (1 + std::abs(x)));
    CHECK(std::abs(got[i] - want) <= bound(x));
  }
}

TEST_CASE("ReLU and no activation are exact, and NaN stays NaN", "[block][epilogue]") {
  need_device();
  std::vector<float> const numbers = sizes();
  std::vector<float> const relu = activated_there(Activation::relu, numbers),
                           none = activated_there(Activation::none, numbers);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    CHECK(relu[i] == (numbers[i] > 0 ? numbers[i] : 0));
    CHECK(none[i] == numbers[i]);
  }
  float const infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  for (Activation each : {Activation::none, Activation::relu, Activation::gelu}) {
    std::vector<float> const got = activated_there(each, {infinity, nan});
    CHECK(got[0] == infinity);
    CHECK(std::isnan(got[1]));
  }
  CHECK(activate(Activation::relu, -3) == 0);
  CHECK(activate(Activation::relu, 3) == 3);
  CHECK(float(activate(Activation::relu, half_t(-3.0f))) == 0);
  CHECK(float(activate(Activation::gelu, half_t(1.0f))) == float(half_t(0.84119f)));
}
