// Bias, activation and residual as options of a program: right ones pass, wrong ones and contradictions are found.

#include <tilestep/backend/runtime.hpp>  // require_device
#include <tilestep/harness/npy.hpp>      // files
#include <tilestep/harness/record.hpp>   // on_virtual_gpu

#include "files.hpp"
#include "run_program.hpp"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include <cmath>    // std::tanh
#include <cstdlib>  // std::getenv
#include <cstring>  // std::memcpy

using namespace tilestep;
using harness_test::Folder;
using test::Ran;

namespace {

Ran gemm(std::string const& arguments) { return test::run_program("tests/planted_epilogue", arguments); }

void need_device() {
  try {
    require_device();
  } catch (Error const& error) {
    char const* const required = std::getenv("TILESTEP_REQUIRE_DEVICE");
    if (required != nullptr && required[0] == '1') FAIL("needs a device: " << error.what());
    SKIP("needs a device: " << error.what());
  }
}

bool says(Ran const& ran, std::string const& part) { return ran.output.find(part) != std::string::npos; }

std::string floats_file(Folder const& folder, std::string const& name, std::vector<std::int64_t> const& shape,
                        std::vector<float> const& values) {
  NpyArray array{DType::f32, shape, std::vector<unsigned char>(values.size() * sizeof(float))};
  std::memcpy(array.data.data(), values.data(), array.data.size());
  write_npy(folder / name, array);
  return folder / name;
}

std::vector<float> floats(std::string const& path) {
  NpyArray const array = read_npy(path);
  std::vector<float> result(array.data.size() / sizeof(float));
  std::memcpy(result.data(), array.data.data(), array.data.size());
  return result;
}

std::string const everything = "--bias on --activation gelu --residual on";

}  // namespace

TEST_CASE("a right epilogue is right for every combination, type, layout and leading dimension",
          "[harness][epilogue]") {
  need_device();
  for (std::string const bias : {"", "--bias on "}) {
    for (std::string const activation : {"", "--activation relu ", "--activation gelu "}) {
      for (std::string const residual : {"", "--residual on ", "--residual on --ldr 37 "}) {
        for (char const* rest :
             {"--m 19 --n 33 --k 17", "--dtype f16 --m 21 --n 18 --k 40 --beta -0.5 --layout tt --batch 2 --ldc 24",
              "--dtype i8 --m 9 --n 30 --k 64 --alpha 2"}) {
          std::string const arguments = bias + activation + residual + rest;
          Ran const ran = gemm(arguments);
          INFO(arguments << "\n" << ran.output);
          if (arguments.find("gelu") != std::string::npos && arguments.find("i8") != std::string::npos) {
            CHECK(ran.exit_code == 2);
            CHECK(says(ran, "--activation gelu is for sums in f32 or f64: choose none or relu for i32"));
          } else {
            CHECK(ran.exit_code == 0);
            CHECK(says(ran, "verdict: right"));
          }
        }
      }
    }
  }
}

TEST_CASE("an epilogue is right where there is little or nothing", "[harness][epilogue]") {
  need_device();
  for (char const* extents : {"--m 0", "--n 0", "--k 0", "--batch 0", "--m 1 --n 1 --k 1", "--k 0 --beta 2"}) {
    Ran const ran = gemm(std::string(extents) + " " + everything);
    INFO(extents << "\n" << ran.output);
    CHECK(ran.exit_code == 0);
  }
}

TEST_CASE("every mistake of an epilogue is found", "[harness][epilogue]") {
  need_device();
  for (auto [mistake, options] : {std::pair{"no_bias", "--bias on"},
                                  {"bias_of_m", "--bias on"},
                                  {"bias_of_batch", "--bias on --batch 2"},
                                  {"bias_after", "--bias on --activation relu"},
                                  {"bias_after", "--bias on --activation gelu"},
                                  {"no_activation", "--activation relu"},
                                  {"no_activation", "--activation gelu"},
                                  {"residual_inside", "--residual on --activation relu"},
                                  {"residual_like_c", "--residual on --ldr 27"},
                                  {"residual_of_batch_0", "--residual on --batch 2"}}) {
    for (char const* type : {"f32", "f16"}) {
      Ran const ran =
          gemm(std::string("--m 20 --n 21 --k 22 --dtype ") + type + " " + options + " --kernel " + mistake);
      INFO(mistake << " " << options << " " << type << "\n" << ran.output);
      // the gaps of a residual are poison, and out of bounds beyond its end
      CHECK((ran.exit_code == 1 || ran.exit_code == 4));
      CHECK(says(ran, "(m,n) = ("));
    }
  }
}

TEST_CASE("a large problem with an epilogue is sampled, and as a whole where nothing bends it", "[harness][epilogue]") {
  if (on_virtual_gpu()) SKIP("takes minutes without a GPU");
  need_device();
  std::string const large = "--m 2050 --n 2051 --k 520 --bias on --residual on --beta 1";
  Ran const whole = gemm(large);
  INFO(whole.output);
  CHECK(whole.exit_code == 0);
  CHECK(says(whole, "and the whole by Freivalds, exact"));
  CHECK(gemm(large + " --kernel residual_of_batch_0 --batch 2").exit_code == 1);
  CHECK(gemm(large + " --activation relu").exit_code == 0);
}

TEST_CASE("the record names what an epilogue does", "[harness][epilogue]") {
  need_device();
  Folder const folder;
  std::string const json = folder / "r.json";
  REQUIRE(gemm("--m 5 --n 6 --k 7 --bias on --activation relu --residual on --ldr 8 --json " + json).exit_code == 0);
  auto const record = nlohmann::json::parse(harness_test::bytes_of_file(json));
  CHECK(record["problem"] == "m 5 n 6 k 7, f32, nn, bias, relu, residual");
  CHECK(record["parameters"]["bias"] == true);
  CHECK(record["parameters"]["activation"] == "relu");
  CHECK(record["parameters"]["residual"] == true);
  CHECK(record["parameters"]["ldr"] == 8);
  CHECK(record["checks"][0]["method"] == "every element, exact");
  REQUIRE(gemm("--m 5 --n 6 --k 7 --activation gelu --json " + json).exit_code == 0);
  auto const with_gelu = nlohmann::json::parse(harness_test::bytes_of_file(json));
  CHECK(with_gelu["checks"][0]["method"] == "every element, exact sums, bound of gelu");
  CHECK_FALSE(with_gelu["parameters"].contains("bias"));
  REQUIRE(gemm("--m 5 --n 6 --k 7 --json " + json).exit_code == 0);
  auto const plain = nlohmann::json::parse(harness_test::bytes_of_file(json));
  CHECK(plain["problem"] == "m 5 n 6 k 7, f32, nn");
  for (char const* key : {"bias", "activation", "residual", "ldr"}) CHECK_FALSE(plain["parameters"].contains(key));
}

TEST_CASE("the numbers of an epilogue come from files", "[harness][epilogue]") {
  need_device();
  Folder const folder;
  std::string const a = floats_file(folder, "a.npy", {2, 1}, {1, -1}),
                    b = floats_file(folder, "b.npy", {1, 3}, {1, 2, 3});
  std::string const bias = floats_file(folder, "bias.npy", {3}, {0.5f, -4, 1}),
                    residual = floats_file(folder, "r.npy", {2, 3}, {10, 20, 30, 40, 50, 60});
  std::string const out = folder / "out.npy", ab = "--a " + a + " --b " + b + " --out " + out;
  REQUIRE(gemm(ab + " --bias " + bias + " --residual " + residual + " --activation relu").exit_code == 0);
  CHECK(floats(out) == std::vector<float>{11.5f, 20, 34, 40, 50, 60});
  REQUIRE(gemm(ab + " --activation gelu").exit_code == 0);
  std::vector<float> const got = floats(out);
  for (int i = 0; i < 6; ++i) {
    double const x = i < 3 ? i + 1 : -(i - 2),
                 want = x / 2 * (1 + std::tanh(std::sqrt(2 / 3.141592653589793) * (x + 0.044715 * x * x * x)));
    CHECK(std::abs(got[std::size_t(i)] - want) < 1e-6);
  }
}

TEST_CASE("a contradiction about an epilogue is one sentence and exit code 2", "[harness][epilogue]") {
  need_device();
  Folder const folder;
  std::string const a = floats_file(folder, "a.npy", {2, 1}, {1, -1}),
                    b = floats_file(folder, "b.npy", {1, 3}, {1, 2, 3});
  std::string const v3 = floats_file(folder, "v3.npy", {3}, {1, 2, 3}), v2 = floats_file(folder, "v2.npy", {2}, {1, 2});
  std::string const ab = "--a " + a + " --b " + b + " ";
  struct Row {
    std::string arguments, says;
  };
  for (Row const& row :
       {Row{"--bias " + v3, "was given without --a and --b: leave it out or say --bias on"},
        {"--residual " + a, "was given without --a and --b: leave it out or say --residual on"},
        {ab + "--bias on", "--bias on generates numbers, but A and B are files"},
        {ab + "--residual on", "--residual on generates numbers, but A and B are files"},
        {ab + "--bias " + v2, "v2.npy (2,) makes it 2"},
        {ab + "--bias " + a, "has 2 dimensions; one number for each n has 1"},
        {ab + "--residual " + v3, "has 1 dimensions; a matrix has 2"},
        {ab + "--residual " + a, "a.npy (2, 1) makes it 1"},
        {"--activation tanh", "needs one of none, relu, gelu"},
        {"--ldr 40", "--ldr is the leading dimension of a residual"},
        {"--residual on --n 30 --ldr 29", "--ldr 29 is smaller than a row, which has 30 elements"},
        {"--m 1313 --bias on --residual on", "chapter 99_nothing lifts that"},
        {"--bench --bias " + v3, on_virtual_gpu() ? "--bench measures time" : "--bench measures generated inputs"}}) {
    Ran const ran = gemm(row.arguments);
    INFO(row.arguments << "\n" << ran.output);
    CHECK(ran.exit_code == (says(ran, "--bench measures time") ? 3 : 2));
    CHECK(says(ran, row.says));
    CHECK(std::count(ran.output.begin(), ran.output.end(), '\n') == 1);
  }
}

TEST_CASE("The option --tune is for a device and for chapters with candidates", "[harness][program]") {
  need_device();
  Folder const folder;
  std::string const csv = harness_test::write_bytes(folder / "p.csv", "m,n,k\n64,64,64\n"), json = folder / "t.json";
  Ran const ran = gemm("--tune " + csv + " --json " + json);
  INFO(ran.output);
  if (on_virtual_gpu()) {
    CHECK(ran.exit_code == 3);
    CHECK(ran.output ==
          "planted_epilogue: --tune measures time, and the virtual GPU counts instead: build the cuda or hip backend "
          "for a GPU\n");
    CHECK_FALSE(std::filesystem::exists(json));
  } else {
    CHECK(ran.exit_code == 0);
    CHECK(nlohmann::json::parse(harness_test::bytes_of_file(json))["problems"][0]["best"] == "the only one");
  }
  Ran const other = test::run_program("tests/planted_gemm", "--tune " + csv);
  CHECK(other.exit_code == 2);
  CHECK(says(other, "--tune needs a table of choices: chapter 17_optimized_gemm adds it"));
}

TEST_CASE("a chapter without epilogues says which one has them", "[harness][epilogue]") {
  for (char const* options : {"--bias on", "--activation relu", "--residual on", "--ldr 5"}) {
    Ran const ran = test::run_program("tests/planted_gemm", options);
    INFO(ran.output);
    CHECK(ran.exit_code == 2);
    CHECK(says(ran, "needs an epilogue: chapter 16_epilogues adds it"));
  }
}
