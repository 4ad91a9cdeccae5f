#pragma once
// The tiles of chapter 17, as its program names them.

#include "../gemm_program.hpp"  // run, expect, counter

#include <catch2/catch_test_macros.hpp>  // REQUIRE

#include <array>    // extents
#include <sstream>  // a list of names
#include <string>   // options
#include <vector>   // tiles

namespace tilestep::test {

struct Tile {
  std::string name;
  std::array<int, 3> extents;  // m, n, k
};

/// The tiles of a target for a type: what the program offers instead of one that does not exist.
inline std::vector<Tile> tiles_of(std::string const& target_and_type) {
  Ran const ran = run(target_and_type + " --layout nt --tile none");
  INFO(ran.output);
  REQUIRE(ran.exit_code == 2);
  auto const list = ran.output.find(" has ");
  REQUIRE(list != std::string::npos);
  std::vector<Tile> tiles;
  std::stringstream names(ran.output.substr(list + 5));
  for (Tile tile; names >> tile.name;) {
    if (tile.name.back() == ',') tile.name.pop_back();
    char x;
    std::stringstream extents(tile.name);
    extents >> tile.extents[0] >> x >> tile.extents[1] >> x >> tile.extents[2];
    tiles.push_back(tile);
  }
  return tiles;
}

inline std::string size(int m, int n, int k) {
  return " --m " + std::to_string(m) + " --n " + std::to_string(n) + " --k " + std::to_string(k);
}

}  // namespace tilestep::test
