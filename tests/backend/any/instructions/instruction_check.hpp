#pragma once
// One matrix instruction alone: what it is fed, and whether what comes back is right, to the bit where one answer is
// possible.
//
//   one k          one column of A times one row of B, each k in turn: where the elements lie             every bit
//   integers       whole numbers whose sums are exact in every order; small integers of any value         every bit
//   wrap around    integers of 8, 4 and 1 bits, with sums that leave the range of 32 bits                 every bit
//   zeros          zeros of both signs and ones                                                           every bit but
//   a zero's sign
//   random, mixed magnitudes, cancellation, subnormals                                                    within a
//   bound
//   specials       infinities and NaN among random numbers: which results are infinite, which NaN         the class;
//   else within a bound
//
// The order in which an instruction adds, and where it rounds or cuts, is not documented, and hardware of one vendor
// differs by generation. So the bound holds for any order and for cut sums: K + 2 units of the last place of |C| + sum
// of |a b|, and the products that vanish where subnormal numbers count as zero; with f16 sums one rounding to f16 more,
// or three where the operands are FP8. What a NaN's bits are is not compared.
// A bound cannot see how a unit adds, therefore the check also says how many results have the bits of the virtual GPU's
// model, and which of the models of arithmetic_models.hpp give every bit. README.md says what was found on which
// device.

#include "arithmetic_models.hpp"  // Model

#include <tilestep/backend/instruction.hpp>        // DType
#include <tilestep/backend/instruction_table.hpp>  // Place

#include <cstdint>     // std::uint32_t
#include <functional>  // std::function
#include <string>      // std::string
#include <vector>      // std::vector

namespace instruction_check {

using tilestep::virtual_gpu::Place;

/// The bits of each element of a matrix, row after row.
using Bits = std::vector<std::uint64_t>;

/// One operand of an instruction: which element is value v of a lane.
struct Operand {
  DType type = DType::f32;
  int rows = 0, columns = 0;
  int values = 0;                                  ///< in one lane
  std::function<Place(int lane, int value)> place;
};

/// A, B and C of one case, or the registers of all lanes, lane after lane, 32 bits of each.
struct Triple { Bits a, b, c; };

/// An instruction of a device, without its type.
struct Instruction {
  std::string name, target;
  int lanes = 0;
  int blocks = 1;                                          ///< products of their own: their matrices, one under another
  Operand a, b, c;                                         ///< (m,k), (k,n), (m,n)
  std::function<void(std::vector<Triple>& registers)> run; ///< on the device: each c becomes c + a b
  std::function<void(Triple& matrices)> model;             ///< on the virtual GPU's arithmetic

  [[nodiscard]] int M() const { return a.rows; }
  [[nodiscard]] int N() const { return b.columns; }
  [[nodiscard]] int K() const { return a.columns; }
  /// The element of B that element (m,k) of A is multiplied with for column n of C.
  [[nodiscard]] std::size_t of_b(int m, int k, int n) const {
    return std::size_t((m / (M() / blocks) * K() + k) * N() + n);
  }
  /// The type in which floating-point sums are taken; f16 is rounded to at the end.
  [[nodiscard]] DType sums() const { return c.type == DType::f64 ? c.type : DType::f32; }
  [[nodiscard]] bool integers() const { return c.type == DType::i32; }
};

/// Elements of a matrix -> the registers of all lanes, and back. Elements that several lanes hold are taken from the
/// last.
Bits to_registers(Operand const& operand, int lanes, Bits const& elements);
Bits from_registers(Operand const& operand, int lanes, Bits const& registers);

/// What came of one kind of cases.
struct KindResult {
  std::string kind;
  std::string compared;           ///< "bits", "bound" or "bits but the signs of zeros"
  int cases = 0;
  std::int64_t elements = 0;      ///< results
  std::int64_t as_model = 0;      ///< of them, with the bits of the virtual GPU's model; any NaN is as good as another
  std::int64_t zero_signs = 0;    ///< that differ from the model
  std::int64_t may_overflow = 0;  ///< not judged: sums whose order decides whether they overflow
  std::int64_t wrong = 0;
  double worst = 0;               ///< largest error as a part of its bound
  std::string first_wrong{};      ///< in words
};

struct Result {
  std::string name, target;
  std::vector<KindResult> kinds;
  std::vector<std::string> reproduced_by;  ///< models that give every bit of the judged sums; empty for integers
  std::vector<std::string> nans;           ///< bits of the NaNs that came back

  [[nodiscard]] std::int64_t cases() const;
  [[nodiscard]] std::int64_t wrong() const;
  /// Every bit of every result is as on the virtual GPU.
  [[nodiscard]] bool as_model() const;
};

/// Feeds the instruction and judges what it returns. The same cases on every machine.
Result check(Instruction const& instruction);

/// ldmatrix: which rows each lane names, and the registers of all lanes. An 8 x 8 matrix of 16-bit elements in each
/// register.
struct LoadCase {
  int matrices = 1;
  bool transposed = false;
  std::vector<std::uint16_t> rows;    ///< of 8 elements
  std::vector<std::int32_t> row_of;   ///< lane -> row; lane 8 i + r names row r of matrix i
  std::vector<std::uint32_t> registers;
};
/// Random bits in random rows; `run` fills in the registers, lane after lane.
KindResult check_load(int matrices, bool transposed, std::function<void(LoadCase&)> const& run);

/// What a run found.
struct Record {
  std::string target, device;
  std::vector<Result> instructions;
  std::vector<KindResult> loads;
};
std::string to_json(Record const& record);  ///< with the backend and the commit

}  // namespace instruction_check
