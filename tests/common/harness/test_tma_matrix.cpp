// The copies of an operand's tiles: where those of the last tile end, and what they read.

#include <tilestep/harness/tma_matrix.hpp>  // operand_tiles

#include <catch2/catch_test_macros.hpp>  // CHECK

#include <cstdint>  // std::int64_t
#include <string>   // what failed
#include <vector>   // an operand

using namespace tilestep;

namespace {

template <Major MAJOR, int X, int SHARES = 1>
using Copy = TmaCopy<SM90_TMA_LOAD, bfloat16_t,
                     decltype(swizzled_tile<bfloat16_t, MAJOR, widest_swizzle<bfloat16_t>(MAJOR, X / SHARES, 64)>(
                         Shape<Int<X>, _64>{})),
                     SHARES>;

std::vector<bfloat16_t> const memory(1 << 16);

/// An operand (x,k) along X, whose rows of X are `line` elements apart. What fails, if something does.
template <class Tma>
std::string wrong(std::int64_t x, std::int64_t k, std::int64_t line, int cluster) {
  auto const t = operand_tiles<Tma>(memory.data(), {1, line, 0}, x, k, 1, cluster);
  int const tiles = int(x + Tma::X - 1) / Tma::X, boxes = int(x - (tiles - 1) * Tma::X + Tma::run - 1) / Tma::run;
  std::string const of = std::to_string(x) + " x " + std::to_string(k) + ", lines " + std::to_string(line) + " apart: ";
  if (t.last_tile != tiles - 1) return of + "another last tile";
  if (t.last_lines != boxes * Tma::run) return of + "boxes that reach less or more than the operand";
  if (t.lines_of(tiles) != 0 || t.lines_of(tiles - 1) != t.last_lines) return of + "lines of a tile";
  if (t.fewest_lines != (tiles % cluster == 0 ? t.last_lines : 0)) return of + "the fewest lines";
  if (x % Tma::run == 0) return {};  // the maps are the same
  if (line != x) return t.last.map.tile.extent[0] == x ? "" : of + "a gap behind a row is read";
  // The last element that boxes of the last tile read, of all tiles along K before `until`.
  auto const last_read = [&](std::int64_t until) {
    return (until * 64 - 1) * line + (tiles - 1) * Tma::X + t.last_lines - 1;
  };
  std::int64_t const last = (k - 1) * line + x - 1;
  if (t.last_until > 0 && last_read(t.last_until) > last) return of + "memory behind the operand is read";
  if (last_read(t.last_until + 1) <= last) return of + "a tile that could read on does not";
  return {};
}

}  // namespace

TEST_CASE("the last boxes along M or N read on into the next row, and never behind the operand", "[harness]") {
  for (std::int64_t x = 8; x <= 300; x += 8)
    for (std::int64_t const k : {1, 8, 63, 64, 65, 128, 200})
      for (std::int64_t const gap : {0, 8, 120})
        for (int const cluster : {1, 2, 4}) {
          CHECK(wrong<Copy<Major::mn, 64>>(x, k, x + gap, cluster).empty());
          CHECK(wrong<Copy<Major::mn, 160>>(x, k, x + gap, cluster).empty());
          CHECK(wrong<Copy<Major::mn, 256, 2>>(x, k, x + gap, cluster).empty());
          CHECK(wrong<Copy<Major::mn, 16>>(x, k, x + gap, cluster).empty());
        }
}

TEST_CASE("boxes along K have as many lines as the operand, of a tile that blocks share too", "[harness]") {
  auto const tiles = [](int x) { return operand_tiles<Copy<Major::k, 128, 2>>(memory.data(), {64, 1, 0}, x, 64, 1); };
  for (int x = 1; x <= 300; ++x) {
    auto const t = tiles(x);
    int const inside = (x - 1) % 128 + 1;
    CHECK(t.last_tile == (x - 1) / 128);
    CHECK(t.last_lines == inside);
    CHECK((t.last.map.tile.box[1] == (inside % 64 == 0 ? 64 : inside % 64)));
    CHECK(t.whole.map.tile.box[1] == 64);
  }
}
