// The atom layer against CuTe, and the instruction tables against AMD's calculator; then every atom against its table.

#include "../golden/golden.hpp"  // Report, Hash

#include <tilestep/atom.hpp>                       // the atoms
#include <tilestep/backend/instruction_table.hpp>  // what the instructions do

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

#include <algorithm>  // std::sort
#include <array>      // std::array

golden::Report mma_tv_cases();
golden::Report tiled_mma_cases();
golden::Report tiled_copy_tv_cases();
golden::Report tiled_copy_cases();
golden::Report ldmatrix_cases();
golden::Report stmatrix_cases();

using namespace tilestep;
using virtual_gpu::InstructionTable;
using virtual_gpu::Place;

namespace {

void check(golden::Report const& report, int cases) {
  CHECK(report.cases == cases);
  for (std::string const& wrong : report.wrong) FAIL_CHECK(wrong);
}

/// The place of value v of lane l in operand A, B or D.
template <class Op, char Operand>
Place place_of(int lane, int value) {
  if constexpr (Operand == 'A') return InstructionTable<Op>::a(lane, value);
  else if constexpr (Operand == 'B') return InstructionTable<Op>::b(lane, value);
  else return InstructionTable<Op>::c(lane, value);
}

/// Every (lane, register, bit) that holds each element, in the order of the calculator's tables, hashed.
template <class Op, char Operand>
std::uint64_t places_hash(int rows, int columns) {
  constexpr int values = Operand == 'A' ? Op::a_values : Operand == 'B' ? Op::b_values : Op::c_values;
  constexpr int bits = bits_of(Operand == 'A' ? Op::a : Operand == 'B' ? Op::b : Op::c);
  std::vector<std::vector<std::array<int, 3>>> places(std::size_t(rows * columns));
  for (int lane = 0; lane < Op::lanes; ++lane) {
    for (int v = 0; v < values; ++v) {
      Place const place = place_of<Op, Operand>(lane, v);
      REQUIRE(place.row < rows);
      REQUIRE(place.column < columns);
      places[std::size_t(place.row * columns + place.column)].push_back({lane, v * bits / 32, v * bits % 32});
    }
  }
  golden::Hash hash;
  for (auto& of_element : places) {
    std::sort(of_element.begin(), of_element.end());
    for (auto const& place : of_element) {
      for (int const number : place) hash.add(number);
    }
  }
  return hash.state;
}

}  // namespace

TEST_CASE("the fragments of the library's atoms are CuTe's", "[atom][golden]") { check(mma_tv_cases(), 112); }
TEST_CASE("tiled MMAs give threads what CuTe's give", "[atom][golden]") { check(tiled_mma_cases(), 36); }
TEST_CASE("tiled copies give threads the elements of their tile that CuTe's give", "[atom][golden]") {
  check(tiled_copy_tv_cases(), 14);
}
TEST_CASE("tiled copies partition tensors as CuTe's do", "[atom][golden]") { check(tiled_copy_cases(), 26); }
TEST_CASE("ldmatrix copies take addresses and fill fragments as CuTe's do", "[atom][golden]") {
  check(ldmatrix_cases(), 9);
}
TEST_CASE("stmatrix copies take addresses and read fragments as CuTe's do", "[atom][golden]") {
  check(stmatrix_cases(), 1);
}

#define AMD_FRAGMENT(Op, target, instruction, operand, rows, columns, places, hash)                          \
  {                                                                                                          \
    INFO(target << " " << instruction << ", operand " << #operand);                                          \
    CHECK(has_instruction<Op>(target));                                                                      \
    CHECK(places_hash<Op, #operand[0]>(rows, columns) == hash);                                              \
    ++lines;                                                                                                 \
  }

TEST_CASE("the instruction tables of AMD are those of its matrix instruction calculator", "[atom][golden]") {
  int lines = 0;
#include "amd_fragments.inc"  // one line for each operand of each instruction
  CHECK(lines == 84);
}

TEST_CASE("gfx950 holds 16 bytes along K in each lane, and C as the instructions of half that K", "[atom][golden]") {
  for_each_matrix_instruction([]<class Op>(Op) {
    if constexpr (Op::targets == "gfx950") {
      INFO(Op::name);
      CHECK(Op::a_values * bits_of(Op::a) == 128);
      for (int lane = 0; lane < 64; ++lane) {
        for (int e = 0; e < Op::a_values; ++e) {
          Place const a{lane % Op::M, Op::a_values * (lane / Op::M) + e};
          CHECK(InstructionTable<Op>::a(lane, e) == a);
          CHECK(InstructionTable<Op>::b(lane, e) == Place{a.column, a.row});
        }
        using Older = std::conditional_t<Op::M == 32, CDNA_32x32x8_F32F16F16F32, CDNA_16x16x16_F32F16F16F32>;
        for (int r = 0; r < Op::c_values; ++r)
          CHECK(InstructionTable<Op>::c(lane, r) == InstructionTable<Older>::c(lane, r));
      }
    }
  });
}

/// Of an atom that is one of its instruction's four products: the first by its lanes, the others eight rows or four k
/// further.
template <class Op>
int wrong_quadpairs() {
  using Atom = MmaAtom<Op>;
  int wrong = !std::is_same_v<typename Atom::Shape_MNK, Shape<_8, _8, _4>> + (size(typename Atom::ThrID{}) != 8);
  for (int block = 0; block < 4; ++block) {
    for (int t = 0; t < 8; ++t) {
      int const lane = int(typename Atom::ThrID{}(t)) + 4 * block;
      for (int v = 0; v < 4; ++v) {
        Place const a = InstructionTable<Op>::a(lane, v), b = InstructionTable<Op>::b(lane, v);
        wrong += int(typename Atom::ALayout{}(make_coord(t, v))) != a.row - 8 * block + 8 * a.column;
        wrong += int(typename Atom::BLayout{}(make_coord(t, v))) != b.column + 8 * (b.row - 4 * block);
      }
      for (int v = 0; v < 8; ++v) {
        Place const c = InstructionTable<Op>::c(lane, v);
        wrong += int(typename Atom::CLayout{}(make_coord(t, v))) != c.row - 8 * block + 8 * c.column;
      }
    }
  }
  return wrong;
}

TEST_CASE("every atom's layouts say what its instruction's table says", "[atom]") {
  int atoms = 0;
  for_each_matrix_instruction([&]<class Op>(Op) {
    using Atom = MmaAtom<Op>;
    INFO(Op::name);
    if constexpr (IsQuadpairMma<Op>) {
      CHECK(wrong_quadpairs<Op>() == 0);
      ++atoms;
      return;
    }
    constexpr int M = Op::blocks * Op::M;  // the blocks of an instruction stand under one another; all have one B
    CHECK(std::is_same_v<typename Atom::Shape_MNK, Shape<Int<M>, Int<Op::N>, Int<Op::K>>>);
    CHECK(size(typename Atom::ThrID{}) == Op::lanes);
    CHECK(size<1>(typename Atom::ALayout{}) == Op::a_values);
    CHECK(size<1>(typename Atom::BLayout{}) == Op::b_values);
    CHECK(size<1>(typename Atom::CLayout{}) == Op::c_values);
    int wrong = 0;
    for (int lane = 0; lane < Op::lanes; ++lane) {
      for (int v = 0; v < Op::a_values; ++v) {
        Place const place = InstructionTable<Op>::a(lane, v);
        wrong += int(typename Atom::ALayout{}(make_coord(lane, v))) != place.row + M * place.column;
      }
      for (int v = 0; v < Op::b_values; ++v) {
        Place const place = InstructionTable<Op>::b(lane, v);
        wrong += int(typename Atom::BLayout{}(make_coord(lane, v))) != place.column + Op::N * (place.row % Op::K);
      }
      for (int v = 0; v < Op::c_values; ++v) {
        Place const place = InstructionTable<Op>::c(lane, v);
        wrong += int(typename Atom::CLayout{}(make_coord(lane, v))) != place.row + M * place.column;
      }
    }
    CHECK(wrong == 0);
    ++atoms;
  });
  CHECK(atoms == 107);
}
