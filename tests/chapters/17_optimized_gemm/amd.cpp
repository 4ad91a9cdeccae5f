// Chapter 17's configurations for AMD GPUs, as the program itself names them: each is right around its tile, on every
// target that has it, and its loop meets no bank conflict.

#include "tiles.hpp"  // tiles_of, run, expect, counter

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

#include <string>  // options
#include <vector>  // targets

char const* const tilestep::test::chapter = "17_optimized_gemm";

using namespace tilestep::test;

namespace {

std::vector<std::string> const amd{"gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"};

}  // namespace

TEST_CASE("every AMD configuration is right around its tile, with tails along M, N and K and an epilogue",
          "[chapter][17][amd]") {
  for (std::string const& target : amd) {
    for (std::string const type : {"f16", "bf16", "i8", "f32", "f64"}) {
      bool const in_matrices = target.starts_with("gfx9") || (type != "f32" && type != "f64");
      if (!in_matrices) continue;  // f32 by FMA, f64 not at all
      std::string const pair = "--target " + target + " --dtype " + type;
      auto const tiles = tiles_of(pair);
      CHECK(tiles.size() >= (type.ends_with("16") ? 3u : 1u));
      for (auto const& [name, extents] : tiles) {
        auto const [m, n, k] = extents;
        std::string const options = pair + " --tile " + name;
        expect(0, options + " --layout nt" + size(m, n, 3 * k));
        expect(0, options + " --layout nt" + size(m + 1, n - 1, 2 * k + 8) + " --beta 2");
        expect(0, options + " --layout tn" + size(m - 1, n + 1, k - 1) +
                      " --alpha 2 --bias on --activation relu --residual on");
      }
    }
  }
}

TEST_CASE("the loops of AMD configurations read and write shared memory in the fewest wavefronts",
          "[chapter][17][amd]") {
  for (std::string const& target : amd) {
    for (std::string const type : {"f16", "bf16", "i8", "f32", "f64"}) {
      bool const in_matrices = target.starts_with("gfx9") || (type != "f32" && type != "f64");
      if (!in_matrices) continue;  // f32 by FMA, f64 not at all
      std::string const pair = "--target " + target + " --dtype " + type;
      for (auto const& [name, extents] : tiles_of(pair)) {
        auto const [m, n, k] = extents;
        auto const more_than_ideal = [&](int tiles, std::string const& counted) {
          Ran const ran = run(pair + " --layout nt --split-k 1 --tile " + name + size(m, n, tiles * k));
          REQUIRE(ran.exit_code == 0);
          return counter(ran.output, counted) - counter(ran.output, counted + " ideal");
        };
        for (std::string const counted : {"shared load wavefronts", "shared store wavefronts"}) {
          INFO(pair << " " << name << " " << counted);
          // what is the same in both is the epilogue's
          CHECK(more_than_ideal(4, counted) == more_than_ideal(2, counted));
        }
      }
    }
  }
}
