#pragma once
// A matrix instruction with its type becomes an Instruction: its table, and the arithmetic of the virtual GPU.

#include "instruction_check.hpp"  // Instruction

#include <tilestep/backend/matrix_arithmetic.hpp>  // multiply_add

namespace instruction_check {

namespace detail {

template <DType Type, class Matrix>
void read(Matrix& matrix, Bits const& bits) {
  auto next = bits.begin();
  for (auto& row : matrix) {
    for (auto& element : row)
      element = static_cast<typename Matrix::value_type::value_type>(tilestep::virtual_gpu::value_of<Type>(*next++));
  }
}

template <class Op>
void run_on_model(Triple& triple, bool flushes, std::string const& target) {
  using namespace tilestep::virtual_gpu;
  typename Matrices<Op>::A a;
  typename Matrices<Op>::B b;
  typename Matrices<Op>::C c;
  read<Op::a>(a, triple.a);
  read<Op::b>(b, triple.b);
  read<Op::c>(c, triple.c);
  if (flushes) flush_subnormals<Op::a>(a);
  if (flushes) flush_subnormals<Op::b>(b);
  if (flushes) flush_subnormals<DType::f32>(c);
  multiply_add<Op>(a, b, c, target);
  if (flushes) flush_subnormals<DType::f32>(c);
  auto next = triple.c.begin();
  for (auto const& row : c) {
    for (auto const element : row) {
      if constexpr (Op::c == DType::f16) *next++ = f16_of_f32(element);
      else if constexpr (Op::c == DType::f64) *next++ = __builtin_bit_cast(std::uint64_t, element);
      else *next++ = __builtin_bit_cast(std::uint32_t, element);
    }
  }
}

}  // namespace detail

/// @param run  executes it on registers
template <class Op>
Instruction describe(std::string const& target, std::function<void(std::vector<Triple>&)> run) {
  using Table = tilestep::virtual_gpu::InstructionTable<Op>;
  bool const flushes = tilestep::virtual_gpu::flushes_subnormals<Op>(target);
  return {Op::name, target, Op::lanes, Op::blocks,
          {Op::a, Op::blocks * Op::M, Op::K, Op::a_values, Table::a},
          {Op::b, Op::blocks * Op::K, Op::N, Op::b_values, Table::b},
          {Op::c, Op::blocks * Op::M, Op::N, Op::c_values, Table::c},
          std::move(run), [flushes, target](Triple& triple) { detail::run_on_model<Op>(triple, flushes, target); }};
}

}  // namespace instruction_check
