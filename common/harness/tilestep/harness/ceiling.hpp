#pragma once
// How fast a machine multiplies when nothing else happens: loops of one instruction on registers. What a GEMM reaches
// is compared with them, since a maker's peak is not what a power-limited card gives.

#include <tilestep/backend/instruction.hpp>  // DType

#include <cstdint>      // std::int64_t
#include <string>       // names
#include <string_view>  // targets
#include <vector>       // lists

namespace tilestep {

/// One loop that can run.
struct CeilingLoop {
  std::string instruction;      ///< "fma", or the matrix instruction's name
  std::int64_t operations = 0;  ///< of one launch: a multiply-add is two

  std::int64_t blocks = 1;
  std::int64_t iterations = 1;
  void (*launch)(CeilingLoop const& loop, std::uint32_t const* operands, float* sink) = nullptr;
};

/// 32-bit words that a loop reads as operands of its instruction, in the operands' type: at least so many are there.
inline constexpr std::int64_t ceiling_words = 4096;

/// The loops for products of `operand` summed in `sum` that the target can run, each on `blocks` blocks: its matrix
/// instructions, and FMAs for f32 and f64.
std::vector<CeilingLoop> ceiling_loops(DType operand, DType sum, std::string_view target, std::int64_t blocks,
                                       std::int64_t iterations);

}  // namespace tilestep
