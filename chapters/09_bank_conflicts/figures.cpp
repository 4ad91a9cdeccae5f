// Draws the banks of a tile's 16-byte chunks, and what the lanes of one read meet phase by phase, by asking the
// kernels' configurations and the targets' rules.
#include <tilestep/backend/target.hpp>           // phases, banks
#include <tilestep/harness/chapter_figures.hpp>  // chapter_figures, Figure
#include <tilestep/harness/gemm_kinds.hpp>       // the tiles, GemmConfig
#include <tilestep/show.hpp>                     // Grid, to_svg

#include <algorithm>  // std::max_element
#include <string>     // captions
#include <vector>     // grids

namespace tilestep {

namespace {

using OnNvidia = NvidiaTile<32>;
using OnCdna = CdnaTile<32>;

template <class Op, class BlkTile, Contiguous Along, Arrangement Arranged>
using Config = GemmConfig<Op, BlkTile, half_t, Along, Along, 8, Arranged>;

std::string name_of(Arrangement arranged) {
  return arranged == Arrangement::packed ? "packed" : arranged == Arrangement::padded ? "padded" : "swizzled";
}

/// Where 16 bytes at an offset of elements of 16 bits begin, of 32 banks.
int bank_of(int offset, int banks = 32) { return offset * 2 / 4 % banks; }

std::string banks_from(int bank) { return "banks " + std::to_string(bank) + " to " + std::to_string(bank + 3); }

/// The first chunks of a tile of A: the bank that each begins in. @param rows, cols of chunks
template <Contiguous Along, Arrangement Arranged>
Grid banks(int rows, int cols) {
  using Smem = typename Config<SM80_16x8x16_F32F16F16F32_TN, OnNvidia, Along, Arranged>::SmemA;  // (BLK_M,BLK_K)
  Grid grid = make_grid(rows, cols, [](std::int64_t row, std::int64_t col) {
    int const line = int(row), first = 8 * int(col), m = Along == Contiguous::k ? line : first,
              k = Along == Contiguous::k ? first : line;
    int const bank = bank_of(int(Smem{}(m, k)));
    return Cell{std::to_string(bank), "the 8 elements from A" + detail::coordinate(m, k) + ": " + banks_from(bank),
                bank / 4};
  });
  grid.caption = name_of(Arranged);
  grid.row_axis = Along == Contiguous::k ? "m" : "k";
  grid.col_axis = Along == Contiguous::k ? "k / 8" : "m / 8";
  grid.tile_rows = 8;
  grid.tile_cols = 1;
  return grid;
}

/// A warp's first read of A, 16 bytes at each address: a row for each phase, a cell for each lane of it.
template <class Op, class BlkTile, Contiguous Along, Arrangement Arranged>
Grid phases(char const* target) {
  using Variant = Config<Op, BlkTile, Along, Arranged>;
  auto const& rule = target_info(target).phases(false, 16);
  int const warp = target_info(target).warp_size;
  // (BLK_M,BLK_K) -> (m,k)
  auto const tile = make_identity_tensor(make_shape(typename Variant::BlkM{}, typename Variant::BlkK{}));
  Grid grid(rule.phases, warp / rule.phases);
  std::vector<int> filled(std::size_t(rule.phases), 0), met(std::size_t(rule.phases * rule.banks), 0);
  for (int lane = 0; lane < warp; ++lane) {
    auto const c = Variant::Mma::slice(lane).partition_A(tile)(0);
    int const bank = bank_of(int(typename Variant::SmemA{}(get<0>(c), get<1>(c))), rule.banks),
              phase = rule.phase_of_lane[std::size_t(lane)];
    ++met[std::size_t(phase * rule.banks + bank)];
    grid.at(phase, filled[std::size_t(phase)]++) = {
        "L" + std::to_string(lane) + "\n" + std::to_string(bank),
        "lane " + std::to_string(lane) + " reads from A" + to_string(c) + ": " + banks_from(bank), bank / 4};
  }
  int wavefronts = 0;
  for (int phase = 0; phase < rule.phases; ++phase) {
    wavefronts += *std::max_element(met.begin() + phase * rule.banks, met.begin() + (phase + 1) * rule.banks);
  }
  grid.caption = name_of(Arranged) + ": " + std::to_string(wavefronts) + " wavefronts";
  grid.row_axis = "phase";
  grid.col_axis = "its lanes";
  return grid;
}

/// A warp's first read of A on NVIDIA, 4 bytes by each lane: a row for each m, a cell for each lane with its bank.
template <Arrangement Arranged>
Grid lanes() {
  using Variant = Config<SM80_16x8x16_F32F16F16F32_TN, OnNvidia, Contiguous::k, Arranged>;
  // (BLK_M,BLK_K) -> (m,k)
  auto const tile = make_identity_tensor(make_shape(typename Variant::BlkM{}, typename Variant::BlkK{}));
  Grid grid(8, 4);
  std::vector<int> met(32, 0);
  for (int lane = 0; lane < 32; ++lane) {
    auto const c = Variant::Mma::slice(lane).partition_A(tile)(0);
    int const bank = bank_of(int(typename Variant::SmemA{}(get<0>(c), get<1>(c))));
    ++met[std::size_t(bank)];
    grid.at(get<0>(c), get<1>(c) / 2) = {
        "L" + std::to_string(lane) + "\n" + std::to_string(bank),
        "lane " + std::to_string(lane) + " reads from A" + to_string(c) + ": bank " + std::to_string(bank), bank / 4};
  }
  int const wavefronts = *std::max_element(met.begin(), met.end());
  grid.caption = name_of(Arranged) + ": " + std::to_string(wavefronts) + " wavefront" + (wavefronts == 1 ? "" : "s");
  grid.row_axis = "m";
  grid.col_axis = "k / 2";
  return grid;
}

template <class Op, class BlkTile, Contiguous Along>
std::string all_phases(char const* target) {
  return to_svg({phases<Op, BlkTile, Along, Arrangement::packed>(target),
                 phases<Op, BlkTile, Along, Arrangement::padded>(target),
                 phases<Op, BlkTile, Along, Arrangement::swizzled>(target)});
}

}  // namespace

std::vector<Figure> chapter_figures() {
  using enum Arrangement;
  return {{"banks", to_svg({banks<Contiguous::k, packed>(16, 4), banks<Contiguous::k, padded>(16, 4),
                            banks<Contiguous::k, swizzled>(16, 4)})},
          {"banks_along_m", to_svg({banks<Contiguous::mn, packed>(16, 8), banks<Contiguous::mn, padded>(16, 8),
                                    banks<Contiguous::mn, swizzled>(16, 8)})},
          {"lanes", to_svg({lanes<packed>(), lanes<padded>(), lanes<swizzled>()})},
          {"gfx942", all_phases<CDNA_32x32x8_F32F16F16F32, OnCdna, Contiguous::k>("gfx942")}};
}

}  // namespace tilestep
