#pragma once
// Matrix instructions: from the lanes' registers by the instruction's table into matrices, multiplied there, and back.
// A warp's fragments of several instructions come together, so that the lanes meet once and each operand is read once.
// There are more than a hundred instructions, so two sources share them out.

#include <tilestep/backend/instruction_table.hpp>    // InstructionTable
#include <tilestep/backend/matrix.hpp>               // what is implemented here
#include <tilestep/backend/matrix_arithmetic.hpp>    // Matrices
#include <tilestep/backend/virtual_gpu/access.hpp>   // poison
#include <tilestep/backend/virtual_gpu/worker.hpp>   // Worker

#include <cstring>  // std::memcpy, std::memset
#include <vector>   // the matrices of a warp

namespace tilestep::virtual_gpu {

namespace matrix_run {

/// Where each value of each lane goes in a matrix, by `table`: lane * Values + value -> row * columns + column.
template <int Lanes, int Values, class Table>
constexpr auto element_numbers(int columns, Table&& table) {
  std::array<std::uint16_t, std::size_t(Lanes * Values)> numbers{};
  for (int i = 0; i < Lanes * Values; ++i) {
    Place const place = table(i / Values, i % Values);
    numbers[std::size_t(i)] = std::uint16_t(place.row * columns + place.column);
  }
  return numbers;
}

template <class Op>
struct Numbers {
  using Table = InstructionTable<Op>;
  static constexpr auto a = element_numbers<Op::lanes, Op::a_values>(Op::K, Table::a);
  static constexpr auto b = element_numbers<Op::lanes, Op::b_values>(Op::N, Table::b);
  static constexpr auto c = element_numbers<Op::lanes, Op::c_values>(Op::N, Table::c);
};

/// Element number `value` of a lane, in the lowest bits.
template <DType Type>
std::uint64_t bits_at(unsigned char const* registers, int value) {
  if constexpr (bits_of(Type) == 64) {
    std::uint64_t element;
    std::memcpy(&element, registers + 8 * value, 8);
    return element;
  } else {
    constexpr int bits = bits_of(Type), in_register = 32 / bits;
    std::uint32_t word;
    std::memcpy(&word, registers + 4 * (value / in_register), 4);
    return word >> (value % in_register * bits);
  }
}

/// Reads a matrix from all lanes. @param registers  lane -> its registers, as bytes
/// @return false if two lanes bring one element and differ
template <DType Type, int LaneCount, int Values, bool Twice, class Numbers, class Matrix, class Registers>
bool gather(Numbers const& numbers, Matrix& matrix, Registers&& registers) {
  auto* const elements = matrix[0].data();
  bool agree = true;
  for (int lane = 0; lane < LaneCount; ++lane) {
    unsigned char const* const mine = registers(lane);
    for (int value = 0; value < Values; ++value) {
      auto const element =
          static_cast<typename Matrix::value_type::value_type>(value_of<Type>(bits_at<Type>(mine, value)));
      auto& place = elements[numbers[std::size_t(lane * Values + value)]];
      if (Twice && lane >= LaneCount / 2) agree = agree && std::memcmp(&place, &element, sizeof(element)) == 0;
      else place = element;
    }
  }
  return agree;
}

// What is reported, in matrix_reports.cpp: compiled once, and not for each instruction.

/// One lane's registers of an operand: rows x columns fragments of so many bytes, rows fastest.
struct OperandOfLane {
  char name;  ///< A, B or C
  int bits;   ///< of an element
  void const* registers;
  int bytes, rows, columns;
  Place (*place)(int lane, int value);  ///< of an element in the operand as the kernel has it
};
/// Reports the first element that the lane never wrote. @return is there one?
bool report_unwritten_operand(Worker& worker, Collective const& self, int lane, OperandOfLane const& operand);
/// Reports that the target has no such instruction, or the warp fewer than its lanes.
void report_unable(Worker& worker, Collective const& self, bool has_instruction, int count, int lanes);
/// Reports that the halves of a warp bring different operands. @param operand  A or B
void report_unlike_halves(Worker& worker, Collective const& self, char operand);

/// What a warp brings: all of its fragments, and as matrices.
template <class Op>
struct Warp {
  static constexpr int bytes_a = Op::a_registers * int(sizeof(typename Op::Register)),  // of one fragment in one lane
      bytes_b = Op::b_registers * int(sizeof(typename Op::Register)),
                       bytes_c = Op::c_registers * int(sizeof(typename Op::CRegister));
  Lanes const& lanes;
  MatrixLane const& first = lanes.of<MatrixLane>(0);
  std::vector<typename Matrices<Op>::A> a{std::size_t(first.m)};       // of one k
  std::vector<typename Matrices<Op>::B> b{std::size_t(first.n)};
  std::vector<typename Matrices<Op>::C> c{std::size_t(first.m * first.n)};

  /// @return 'A' or 'B' if the halves of the warp bring different ones, else 0
  char read_operands(int k, bool flushes) {
    constexpr bool twice = Op::copies > 1;
    for (int m = 0; m < first.m; ++m) {
      auto const registers = [&](int lane) {
        return static_cast<unsigned char const*>(lanes.of<MatrixLane>(lane).a) + (k * first.m + m) * bytes_a;
      };
      auto& matrix = a[std::size_t(m)];
      if (!gather<Op::a, Op::lanes, Op::a_values, twice>(Numbers<Op>::a, matrix, registers)) return 'A';
      if (flushes) flush_subnormals<Op::a>(matrix);
    }
    for (int n = 0; n < first.n; ++n) {
      auto const registers = [&](int lane) {
        return static_cast<unsigned char const*>(lanes.of<MatrixLane>(lane).b) + (k * first.n + n) * bytes_b;
      };
      auto& matrix = b[std::size_t(n)];
      if (!gather<Op::b, Op::lanes, Op::b_values, twice>(Numbers<Op>::b, matrix, registers)) return 'B';
      if (flushes) flush_subnormals<Op::b>(matrix);
    }
    return 0;
  }

  /// This lane's registers of accumulator number mn: floats, integers or packed halves, so they are copied as bytes.
  unsigned char* accumulators(int lane, int mn) {
    return static_cast<unsigned char*>(lanes.of<MatrixLane>(lane).c) + mn * bytes_c;
  }
  void read_accumulators() {
    for (int mn = 0; mn < first.m * first.n; ++mn) {
      auto const registers = [&](int lane) { return accumulators(lane, mn); };
      (void)gather<Op::c, Op::lanes, Op::c_values, false>(Numbers<Op>::c, c[std::size_t(mn)], registers);
    }
  }
  void write_accumulators() {
    for (int mn = 0; mn < first.m * first.n; ++mn) {
      auto const* const elements = c[std::size_t(mn)][0].data();
      for (int lane = 0; lane < Op::lanes; ++lane) {
        using Register = typename Op::CRegister;
        Register registers[Op::c_registers] = {};
        for (int value = 0; value < Op::c_values; ++value) {
          auto const element = elements[Numbers<Op>::c[std::size_t(lane * Op::c_values + value)]];
          if constexpr (Op::c == DType::f16) registers[value / 2] |= f16_of_f32(element) << (value % 2 * 16);
          else registers[value] = std::bit_cast<Register>(element);
        }
        std::memcpy(accumulators(lane, mn), registers, sizeof(registers));
      }
    }
  }

  /// Reports an element that a lane never wrote. @return is there one?
  bool report_unwritten(Worker& worker) {
    using Table = InstructionTable<Op>;
    auto const transposed_b = [](int l, int value) {  // B is (N,K) here and (k,n) in the table
      Place const place = Table::b(l, value);
      return Place{place.column, place.row};
    };
    for (int lane = 0; lane < Op::lanes; ++lane) {
      MatrixLane const& mine = lanes.of<MatrixLane>(lane);
      auto const is_unwritten = [&](DType type, char name, void const* registers, int bytes, int rows, int columns,
                                    Place (*place)(int, int)) {
        if (is_subbyte(type)) return false;  // an atom looks at them when it packs them
        return report_unwritten_operand(worker, matrix_collective<Op>(), lane,
                                        {name, bits_of(type), registers, bytes, rows, columns, place});
      };
      if (is_unwritten(Op::a, 'A', mine.a, bytes_a, first.m, first.k, Table::a) ||
          is_unwritten(Op::b, 'B', mine.b, bytes_b, first.n, first.k, transposed_b) ||
          is_unwritten(Op::c, 'C', mine.c, bytes_c, first.m, first.n, Table::c))
        return true;
    }
    return false;
  }
  void poison_accumulators() {
    for (int lane = 0; lane < lanes.count; ++lane) {
      std::memset(accumulators(lane, 0), poison, std::size_t(bytes_c * first.m * first.n));
    }
  }
};

template <class Op>
void run(Worker& worker, Lanes const& lanes) {
  Collective const& self = matrix_collective<Op>();
  TargetInfo const& target = worker.target();
  Warp<Op> warp{lanes};
  if (!has_instruction<Op>(target.name) || lanes.count < Op::lanes) {
    report_unable(worker, self, has_instruction<Op>(target.name), lanes.count, Op::lanes);
    return warp.poison_accumulators();
  }
  MatrixLane const& counts = warp.first;
  worker.counters.add_matrix_instructions(Op::name, std::int64_t(counts.m) * counts.n * counts.k);

  if (worker.check && warp.report_unwritten(worker)) return warp.poison_accumulators();

  bool const flushes = flushes_subnormals<Op>(target.name);
  warp.read_accumulators();
  for (int k = 0; k < counts.k; ++k) {
    if (char const unlike = warp.read_operands(k, flushes)) {
      report_unlike_halves(worker, self, unlike);
      return warp.poison_accumulators();
    }
    for (int mn = 0; mn < counts.m * counts.n; ++mn) {
      auto& sums = warp.c[std::size_t(mn)];
      if (flushes) flush_subnormals<DType::f32>(sums);
      multiply_add<Op>(warp.a[std::size_t(mn % counts.m)], warp.b[std::size_t(mn / counts.m)], sums, target.name);
      if (flushes) flush_subnormals<DType::f32>(sums);
    }
  }
  warp.write_accumulators();
}

}  // namespace matrix_run

template <class Op>
Collective const& matrix_collective() {
  static constexpr Collective collective{Op::name, matrix_run::run<Op>};
  return collective;
}

}  // namespace tilestep::virtual_gpu
