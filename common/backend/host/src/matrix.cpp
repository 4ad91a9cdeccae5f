// Matrix instructions: from the lanes' registers by the instruction's table into matrices, multiplied there, and back.

#include <tilestep/backend/instruction_table.hpp>    // InstructionTable
#include <tilestep/backend/matrix.hpp>               // what is implemented here
#include <tilestep/backend/matrix_arithmetic.hpp>    // Matrices
#include <tilestep/backend/virtual_gpu/access.hpp>   // poison
#include <tilestep/backend/virtual_gpu/worker.hpp>   // Worker

#include <cstring>  // std::memcpy, std::memset

namespace tilestep::virtual_gpu {

namespace {

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

template <MatrixType Type>
std::uint32_t bits_at(std::uint32_t const* registers, int value) {
  constexpr int bits = bits_of(Type), in_register = 32 / bits;
  return registers[value / in_register] >> (value % in_register * bits);
}

/// Reads an operand from all lanes. @return false if two lanes bring one element and differ
template <MatrixType Type, int LaneCount, int Values, bool Twice, class Numbers, class Matrix, class Registers>
bool gather(Lanes const& lanes, Numbers const& numbers, Matrix& matrix, Registers&& registers) {
  auto* const elements = matrix[0].data();
  bool agree = true;
  for (int lane = 0; lane < LaneCount; ++lane) {
    std::uint32_t const* const mine = registers(lanes.of<MatrixLane>(lane));
    for (int value = 0; value < Values; ++value) {
      auto const element = value_of<Type>(bits_at<Type>(mine, value));
      auto& place = elements[numbers[std::size_t(lane * Values + value)]];
      if (Twice && lane >= LaneCount / 2) agree = agree && std::memcmp(&place, &element, sizeof(element)) == 0;
      else place = element;
    }
  }
  return agree;
}

template <class Op>
void poison_results(Lanes const& lanes) {
  for (int lane = 0; lane < lanes.count; ++lane) {
    std::memset(lanes.of<MatrixLane>(lane).c, poison, sizeof(std::uint32_t) * Op::c_registers);
  }
}

template <class Op>
void read_accumulators(Lanes const& lanes, Matrices<Op>& x) {
  auto const accumulators = [](MatrixLane const& lane) { return static_cast<std::uint32_t const*>(lane.c); };
  (void)gather<Op::c, Op::lanes, Op::c_values, false>(lanes, Numbers<Op>::c, x.c, accumulators);
}

template <class Op>
void write_accumulators(Lanes const& lanes, Matrices<Op> const& x) {
  auto const* const elements = x.c[0].data();
  for (int lane = 0; lane < Op::lanes; ++lane) {
    std::uint32_t registers[Op::c_registers] = {};
    for (int value = 0; value < Op::c_values; ++value) {
      auto const element = elements[Numbers<Op>::c[std::size_t(lane * Op::c_values + value)]];
      if constexpr (Op::c == MatrixType::f16) registers[value / 2] |= f16_of_f32(element) << (value % 2 * 16);
      else registers[value] = std::bit_cast<std::uint32_t>(element);
    }
    std::memcpy(lanes.of<MatrixLane>(lane).c, registers, sizeof(registers));
  }
}

template <class Op>
void run(Worker& worker, Lanes const& lanes) {
  Collective const& self = matrix_collective<Op>();
  TargetInfo const& target = worker.target();
  if (!has_instruction<Op>(target.name)) {
    worker.report_collective("broken requirement", self,
                             ", which " + std::string(target.name) + " does not have: choose an atom of this target");
    return poison_results<Op>(lanes);
  }
  if (lanes.count < Op::lanes) {
    worker.report_collective("divergent barrier", self,
                             ", but the block's last warp has only " + std::to_string(lanes.count) +
                                 " lanes: make the number of threads a multiple of " + std::to_string(Op::lanes));
    return poison_results<Op>(lanes);
  }
  worker.counters.add_matrix_instructions(Op::name, 1);

  Matrices<Op> x;
  constexpr bool twice = Op::copies > 1;
  bool const agree_a = gather<Op::a, Op::lanes, Op::a_values, twice>(lanes, Numbers<Op>::a, x.a,
                                                                     [](MatrixLane const& lane) { return lane.a; });
  bool const agree_b = gather<Op::b, Op::lanes, Op::b_values, twice>(lanes, Numbers<Op>::b, x.b,
                                                                     [](MatrixLane const& lane) { return lane.b; });
  if (!agree_a || !agree_b) {
    worker.report_collective("broken requirement", self,
                             std::string(", but lanes 16 to 31 bring another ") + (agree_a ? "B" : "A") +
                                 " than lanes 0 to 15: both halves of the warp must hold the same");
    return poison_results<Op>(lanes);
  }
  read_accumulators(lanes, x);
  if constexpr (Matrices<Op>::is_integer) multiply_add_integers(x);
  else if constexpr (Op::targets.starts_with("sm")) multiply_add_nvidia(x);
  else multiply_add_amd(x, target.name == "gfx90a");
  write_accumulators(lanes, x);
}

}  // namespace

template <class Op>
Collective const& matrix_collective() {
  static constexpr Collective collective{Op::name, run<Op>};
  return collective;
}

template Collective const& matrix_collective<SM80_16x8x16_F32F16F16F32_TN>();
template Collective const& matrix_collective<SM80_16x8x16_F16F16F16F16_TN>();
template Collective const& matrix_collective<SM80_16x8x16_F32BF16BF16F32_TN>();
template Collective const& matrix_collective<SM80_16x8x8_F32TF32TF32F32_TN>();
template Collective const& matrix_collective<SM80_16x8x32_S32S8S8S32_TN>();
template Collective const& matrix_collective<CDNA_32x32x8_F32F16F16F32>();
template Collective const& matrix_collective<CDNA_16x16x16_F32F16F16F32>();
template Collective const& matrix_collective<CDNA_32x32x8_F32BF16BF16F32>();
template Collective const& matrix_collective<CDNA_16x16x16_F32BF16BF16F32>();
template Collective const& matrix_collective<CDNA_32x32x2_F32F32F32F32>();
template Collective const& matrix_collective<CDNA_16x16x4_F32F32F32F32>();
template Collective const& matrix_collective<CDNA2_32x32x8_I32I8I8I32>();
template Collective const& matrix_collective<CDNA2_16x16x16_I32I8I8I32>();
template Collective const& matrix_collective<CDNA3_32x32x16_I32I8I8I32>();
template Collective const& matrix_collective<CDNA3_16x16x32_I32I8I8I32>();
template Collective const& matrix_collective<CDNA4_32x32x16_F32F16F16F32>();
template Collective const& matrix_collective<CDNA4_16x16x32_F32F16F16F32>();
template Collective const& matrix_collective<CDNA4_32x32x16_F32BF16BF16F32>();
template Collective const& matrix_collective<CDNA4_16x16x32_F32BF16BF16F32>();
template Collective const& matrix_collective<RDNA3_16x16x16_F32F16F16F32>();
template Collective const& matrix_collective<RDNA3_16x16x16_F32BF16BF16F32>();
template Collective const& matrix_collective<RDNA3_16x16x16_I32I8I8I32>();
template Collective const& matrix_collective<RDNA4_16x16x16_F32F16F16F32>();
template Collective const& matrix_collective<RDNA4_16x16x16_F32BF16BF16F32>();
template Collective const& matrix_collective<RDNA4_16x16x16_I32I8I8I32>();

}  // namespace tilestep::virtual_gpu
