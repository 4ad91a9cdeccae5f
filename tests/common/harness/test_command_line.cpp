#include <tilestep/backend/error.hpp>
#include <tilestep/harness/command_line.hpp>

#include <catch2/catch_test_macros.hpp>

#include <string>
#include <vector>

using namespace tilestep;

namespace {

struct Options {
  std::int64_t rows = 4;
  double scale = 1;
  bool flag = false;
  Extent2 tile{2, 3};
  SwizzleNumbers swizzle;
  std::string name, kind = "one";
  CommonOptions common;
  bool rows_given = false;
};

Options parsed(std::vector<char const*> arguments, std::string const& chapter = "02_tensors_and_tiles") {
  Options options;
  CommandLine line(chapter, "what it adds");
  line.add("--rows", options.rows, "rows").add("--scale", options.scale, "scale").add("--flag", options.flag, "flag");
  line.add("--tile", options.tile, "tile")
      .add("--swizzle", options.swizzle, "swizzle")
      .add("--name", options.name, "name");
  line.add("--kind", options.kind, {"one", "two"}, "kind");
  arguments.insert(arguments.begin(), "program");
  bool const goes_on = line.parse(static_cast<int>(arguments.size()), arguments.data());
  REQUIRE(goes_on);
  options.common = line.common();
  options.rows_given = line.given("--rows");
  return options;
}

std::string refusal(std::vector<char const*> const& arguments, std::string const& chapter = "02_tensors_and_tiles") {
  try {
    (void)parsed(arguments, chapter);
  } catch (Error const& error) {
    CHECK(error.code() == Exit::bad_input);
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("options keep their defaults until they are given", "[harness][options]") {
  Options const none = parsed({});
  CHECK(none.rows == 4);
  CHECK_FALSE(none.rows_given);
  CHECK(none.tile == Extent2{2, 3});
  CHECK(none.common.seed == 1);
  CHECK(none.common.check);
  Options const all =
      parsed({"--rows",     "7",        "--scale=-2.5", "--flag", "--tile",   "8x16",   "--swizzle",
              "3,0,3",      "--name",   "x y",          "--kind", "two",      "--seed", "18446744073709551615",
              "--schedule", "random:9", "--check",      "off",    "--target", "gfx942", "--json",
              "-",          "--list"});
  CHECK(all.rows == 7);
  CHECK(all.rows_given);
  CHECK(all.scale == -2.5);
  CHECK(all.flag);
  CHECK(all.tile == Extent2{8, 16});
  CHECK((all.swizzle.bits == 3 && all.swizzle.base == 0 && all.swizzle.shift == 3));
  CHECK(all.name == "x y");
  CHECK(all.kind == "two");
  CHECK(all.common.seed == 18446744073709551615u);
  CHECK(all.common.schedule == "random:9");
  CHECK_FALSE(all.common.check);
  CHECK(all.common.target == "gfx942");
  CHECK(all.common.json == "-");
  CHECK(all.common.list);
}

TEST_CASE("negative numbers are values, not options", "[harness][options]") {
  CHECK(parsed({"--rows", "-3"}).rows == -3);
  CHECK(parsed({"--scale", "-1e-3"}).scale == -1e-3);
}

TEST_CASE("what is not a value is refused with the option's name", "[harness][options]") {
  for (std::vector<char const*> const& arguments : {std::vector<char const*>{"--rows", "x"},
                                                    {"--rows", "3x"},
                                                    {"--rows", "1e3"},
                                                    {"--rows", ""},
                                                    {"--rows"},
                                                    {"--rows", "9223372036854775808"},
                                                    {"--rows", "1", "--rows", "2"},
                                                    {"--tile", "3"},
                                                    {"--tile", "3x"},
                                                    {"--tile", "x3"},
                                                    {"--tile", "3x4x5"},
                                                    {"--tile", "-3x4"},
                                                    {"--swizzle", "1,2"},
                                                    {"--swizzle", "1,2,32"},
                                                    {"--scale", "nan"},
                                                    {"--scale", "inf"},
                                                    {"--scale", "1,5"},
                                                    {"--kind", "three"},
                                                    {"--name", ""},
                                                    {"--seed", "-1"},
                                                    {"--schedule", "sideways"},
                                                    {"--schedule", "random:"},
                                                    {"--check", "maybe"}}) {
    std::string const sentence = refusal(arguments);
    INFO(sentence);
    CHECK(sentence.find(arguments.front()) != std::string::npos);
    CHECK(sentence.find('\n') == std::string::npos);
  }
}

TEST_CASE("an option of another chapter is refused with that chapter's name", "[harness][options]") {
  CHECK(refusal({"--m", "4"}) == "--m needs a GEMM: chapter 04_fma_gemm adds it");
  CHECK(refusal({"--window=3x4"}) == "--window needs predicates: chapter 03_copy_if adds it");
  CHECK(refusal({"--cols", "4"}, "04_fma_gemm").find("belongs to chapter 01_layouts") != std::string::npos);
  CHECK(refusal({"--nonsense"}).find("--nonsense is not known") != std::string::npos);
  CHECK(refusal({"stray"}).find("stray is not known") != std::string::npos);
}
