#pragma once
// The tiles and plans of chapters 17 and 20, as their programs name them.

#include "../gemm_program.hpp"  // run, expect, counter

#include <catch2/catch_test_macros.hpp>  // REQUIRE

#include <unistd.h>  // getpid

#include <array>       // extents
#include <filesystem>  // a file of options
#include <fstream>     // its lines
#include <sstream>     // a list of names
#include <string>      // options
#include <vector>      // tiles

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

/// How many plans the output of --plan has, one on a line.
inline std::size_t plans_in(std::string const& output) {
  std::size_t plans = 0;
  std::stringstream lines(output);
  for (std::string line; std::getline(lines, line);) plans += line.find(" tiles of ") != std::string::npos;
  return plans;
}

/// Every one of these problems gets a plan on a machine. @param types  options each
/// @return what the program said
inline std::string expect_plans(std::string const& machine, std::vector<std::string> const& types) {
  auto const file = std::filesystem::temp_directory_path() / ("tilestep_plans_" + std::to_string(getpid()) + ".txt");
  std::ofstream lines(file);
  std::size_t count = 0;
  for (std::string const& type : types) {
    for (int const m : {1, 100, 4096}) {
      for (int const n : {64, 4096}) {
        for (int const k : {64, 8192}) {
          lines << "--plan --machine " << machine << " --layout nt " << type << size(m, n, k) << "\n";
          ++count;
        }
      }
    }
  }
  lines.close();
  Ran const ran = run("--each " + file.string());
  INFO(machine << "\n" << ran.output);
  CHECK(ran.exit_code == 0);
  CHECK(plans_in(ran.output) == count);
  std::filesystem::remove(file);
  return ran.output;
}

}  // namespace tilestep::test
