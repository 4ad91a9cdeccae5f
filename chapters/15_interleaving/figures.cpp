// Draws the order of instructions in the loop by asking the type that orders them.
#include <tilestep/block/interleave.hpp>         // InterleavedHalves
#include <tilestep/harness/chapter_figures.hpp>  // chapter_figures, Figure
#include <tilestep/show.hpp>                     // Grid, to_svg

#include <array>   // clocks
#include <string>  // captions
#include <vector>  // grids

namespace tilestep {

namespace {

constexpr Issue kinds[] = {Issue::shared_load, Issue::shared_store, Issue::global_load};

/// What a tile takes of a compute unit of gfx942, in clocks.
/// @par Source  machine_table.hpp: 32 clocks of one of four matrix units for an MFMA, 128 bytes of LDS or of L1 in a
///     clock, an instruction of each of four SIMDs
struct Clocks {
  char const* name;
  int number;
};
template <class Config>
std::array<Clocks, 4> clocks_of() {
  constexpr int warps = Config::threads / 64, products = [] {
    int sum = 0;
    for (IssuePlan const& part : InterleavedHalves<Config>::issue_plan) sum += part.products;
    return sum;
  }();
  // two barriers, four that count
  constexpr int reads = 2 * InterleavedHalves<Config>::issue_plan[0].count, copies = Config::copies,
                access = 64 * 16 / 128, to_go_round = 6;
  return {{{"matrix units", warps * products * 32 / 4},
           {"shared memory", warps * (reads + copies) * access},
           {"loads", warps * copies * access},
           {"issue", warps * (products + reads + 2 * copies + to_go_round) / 4}}};
}

/// @par Invariant  every instruction that serves a later tile stands before some product, and no product waits for more
///     than a few of them
template <class Config>
Grid between_products(std::string const& caption) {
  char const* const names[] = {"reads a fragment from shared memory",
                               "stores a vector of the next tile to shared memory",
                               "loads a vector of the tile after it"};
  int columns = 0;
  for (IssuePlan const& part : InterleavedHalves<Config>::issue_plan) columns += part.products;
  Grid grid(9, columns);
  int product = 0, part_number = 0;
  for (IssuePlan const& part : InterleavedHalves<Config>::issue_plan) {
    if (part_number > 0)
      grid.at(3, product) = {
          "wait", part_number == 1 ? "all warps have read the tile" : "all warps have stored the next tile", 0};
    for (int i = 0; i < part.products; ++i, ++product) {
      int const from = i == 0 ? 0 : part.others_before(i - 1), to = part.others_before(i);
      for (int row = 0; row < 3; ++row) {
        int count = 0;
        for (int other = from; other < to; ++other) count += (other < part.count ? part.what : part.then) == kinds[row];
        if (count > 0)
          grid.at(row, product) = {
              std::to_string(count),
              "before product " + std::to_string(product) + " a warp " + names[row] + (count > 1 ? ", twice" : ""),
              row + 1};
      }
    }
    ++part_number;
  }
  // Below, as bars: the matrix units' is as long as the products.
  auto const clocks = clocks_of<Config>();
  for (int row = 0; row < 4; ++row) {
    auto const [name, number] = clocks[std::size_t(row)];
    for (int i = 0; i * clocks[0].number < number * columns; ++i)
      grid.at(5 + row, i) = {i == 0 ? std::to_string(number) : "",
                             std::string(name) + ": " + std::to_string(number) + " clocks of a tile",
                             row == 0   ? 0
                             : row == 3 ? 4
                                        : row};
  }
  grid.caption = caption;
  grid.row_axis = "read, store, send, wait; clocks";
  grid.col_axis = "product";
  return grid;
}

template <class BlkTile>
using OnCdna = Pipeline<
    GemmConfig<CDNA_32x32x8_F32F16F16F32, BlkTile, half_t, Contiguous::k, Contiguous::k, 8, Arrangement::swizzled>,
    Route::registers, 1>;

}  // namespace

std::vector<Figure> chapter_figures() {
  return {
      {"interleave", to_svg({between_products<OnCdna<BlockTile<256, 256, 32, 2, 4>>>("256 x 256 x 32, 8 warps"),
                             between_products<OnCdna<BlockTile<256, 128, 32, 2, 2, 2>>>("256 x 128 x 32, 4 warps")})}};
}

}  // namespace tilestep
