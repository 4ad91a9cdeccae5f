// Draws what ldmatrix is told and gives, and the banks of its rows, by asking the partitions of identity tensors and
// the kernels' configurations.
#include <tilestep/backend/target.hpp>           // phases, banks
#include <tilestep/harness/chapter_figures.hpp>  // chapter_figures, Figure
#include <tilestep/harness/gemm_kinds.hpp>       // the tiles, GemmConfig
#include <tilestep/show.hpp>                     // Grid, to_svg

#include <algorithm>  // std::max_element
#include <string>     // captions
#include <vector>     // lanes of a phase

namespace tilestep {

namespace {

std::string name(char const* letter, int number) { return letter + std::to_string(number); }

// One ldmatrix.x4 that feeds B of two instructions.
using TwoAtoms = decltype(make_tiled_mma(MmaAtom<SM80_16x8x16_F32F16F16F32_TN>{}, Layout<Shape<_1, _1, _1>>{},
                                         Tile<Underscore, _16, Underscore>{}));

/// 16 x 16 of B as it is stored, without cells. @tparam Row  the mode of a stored row: 0 is n, 1 is k
template <int Row>
Grid stored_b(std::string const& caption) {
  Grid grid(16, 16);
  grid.caption = caption;
  grid.row_axis = Row == 0 ? "n" : "k";
  grid.col_axis = Row == 0 ? "k" : "n";
  grid.tile_rows = grid.tile_cols = 8;
  return grid;
}

/// Which lane gives the address of which 16 bytes.
template <class Operation, int Row>
Grid addresses() {
  auto const tile = make_identity_tensor(make_shape(_16{}, _16{}));  // (N,K) -> (n,k)
  Grid grid = stored_b<Row>("the lane that gives the address");
  for (int lane = 0; lane < 32; ++lane) {
    // (CPY,1,1) -> (n,k)
    auto const part = make_tiled_copy_B(CopyAtom<Operation, half_t>{}, TwoAtoms{}).slice(lane).partition_S(tile);
    for (int i = 0; i < size(part); ++i) {
      auto const c = part(i);
      grid.at(get<Row>(c), get<1 - Row>(c)) = {i == 0 ? name("L", lane) : "",
                                               name("lane ", lane) + " gives the address of these 16 bytes", lane};
    }
  }
  return grid;
}

/// Which lane receives each element, and in which register of 32 bits.
template <int Row>
Grid received() {
  auto const tile = make_identity_tensor(make_shape(_16{}, _16{}));  // (N,K) -> (n,k)
  Grid grid = stored_b<Row>("the lane and the register that receive it");
  for (int lane = 0; lane < 32; ++lane) {
    auto const part = TwoAtoms::slice(lane).partition_B(tile);  // (MMA,2,1) -> (n,k)
    for (int v = 0; v < size<0>(part); ++v) {
      for (int atom = 0; atom < size<1>(part); ++atom) {
        auto const c = part(v, atom, 0);
        int const reg = 2 * atom + v / 2;
        grid.at(get<Row>(c), get<1 - Row>(c)) = {
            name("L", lane) + "\n" + name("r", reg),
            name("lane ", lane) + ", register " + std::to_string(reg) + (v % 2 == 0 ? ", low half" : ", high half") +
                ": value " + std::to_string(v) + " of B of the " + (atom == 0 ? "first" : "second") + " instruction",
            lane};
      }
    }
  }
  return grid;
}

/// A warp's first ldmatrix.x4 of A: a row for each phase, a cell for each lane whose address it serves, with the first
/// of its four banks.
template <Arrangement Arranged>
Grid phases(std::string const& caption) {
  using Config = VectorsOf<kinds::nvidia_f16, Contiguous::k, Contiguous::k, Arranged>;
  auto const& rule = target_info("sm80").phases(false, 16);
  // (BLK_M,BLK_K) -> (m,k)
  auto const tile = make_identity_tensor(make_shape(typename Config::BlkM{}, typename Config::BlkK{}));
  auto const tiled = make_tiled_copy_A(CopyAtom<typename Config::ReadA, half_t>{}, typename Config::Mma{});
  Grid grid(rule.phases, 32 / rule.phases);
  std::vector<int> filled(std::size_t(rule.phases), 0), met(std::size_t(rule.phases * rule.banks), 0);
  for (int lane = 0; lane < 32; ++lane) {
    auto const c = tiled.slice(lane).partition_S(tile)(0);
    int const bank = int(typename Config::SmemA{}(get<0>(c), get<1>(c))) * int(sizeof(half_t)) / 4 % rule.banks,
              phase = rule.phase_of_lane[std::size_t(lane)];
    ++met[std::size_t(phase * rule.banks + bank)];
    grid.at(phase, filled[std::size_t(phase)]++) = {name("L", lane) + "\n" + std::to_string(bank),
                                                    name("lane ", lane) + " points at A" + to_string(c) + ": banks " +
                                                        std::to_string(bank) + " to " + std::to_string(bank + 3),
                                                    bank / 4};
  }
  int wavefronts = 0;
  for (int phase = 0; phase < rule.phases; ++phase)
    wavefronts += *std::max_element(met.begin() + phase * rule.banks, met.begin() + (phase + 1) * rule.banks);
  grid.caption = caption + ": " + std::to_string(wavefronts) + " wavefronts";
  grid.row_axis = "matrix";
  grid.col_axis = "its rows";
  return grid;
}

}  // namespace

std::vector<Figure> chapter_figures() {
  return {{"ldmatrix", to_svg({addresses<SM75_U32x4_LDSM_N, 0>(), received<0>()})},
          {"ldmatrix_trans", to_svg({addresses<SM75_U16x8_LDSM_T, 1>(), received<1>()})},
          {"phases", to_svg({phases<Arrangement::packed>("packed"), phases<Arrangement::swizzled>("swizzled")})}};
}

}  // namespace tilestep
