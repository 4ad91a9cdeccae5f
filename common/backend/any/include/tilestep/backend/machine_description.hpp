#pragma once
// What is known of a GPU, number by number: how much there is of each part, and how much each part does in a clock. A
// number carries its source, because plans and cycle budgets divide by it and a reader wants to know what they rest on.

#include <cstdint>  // std::int64_t
#include <string_view>  // names, sources

namespace tilestep {

/// How a number came to be known.
enum class Evidence {
  documented,  ///< its maker states it
  measured,  ///< records of this repository show it
  assumed,  ///< a neighbour's number, for want of a statement
  unknown,  ///< nobody states it
};

/// A number with its source.
struct Rate {
  double value = 0;  ///< 0: there is none, or it is not known
  Evidence evidence = Evidence::unknown;
  std::string_view source = "no statement";

  [[nodiscard]] constexpr bool is_known() const { return value > 0; }
};

constexpr Rate documented(double value, std::string_view source) { return {value, Evidence::documented, source}; }
constexpr Rate measured(double value, std::string_view source) { return {value, Evidence::measured, source}; }
constexpr Rate assumed(double value, std::string_view source) { return {value, Evidence::assumed, source}; }

/// Multiply-adds of a compute unit in a clock by matrix instructions, at most, by the type of A and B. Not known: there
/// is no instruction.
struct MultiplyRates {
  Rate f16, bf16;  ///< with sums in f32
  Rate tf32, i8, f32;
  Rate wgmma = {};  ///< f16 and bf16 by wgmma, where there is one
  Rate f64 = {};
  Rate f64_of_block = {};  ///< of one of the four blocks of v_mfma_f64_4x4x4_4b_f64
};

/// What one compute unit does in a clock.
struct UnitRates {
  MultiplyRates multiply;
  Rate fma;  ///< multiply-adds in f32 without a matrix instruction
  Rate shared;  ///< wavefronts of shared memory: passes over 32 banks of 4 bytes
  Rate l1;  ///< bytes that the first cache gives or takes
  int l1_piece = 32;  ///< bytes that it moves at least for what the virtual GPU counts as a sector
  Rate issue;  ///< instructions of warps
};

/// One GPU.
struct Machine {
  std::string_view name;  ///< a part of the name by which the device calls itself
  std::string_view target;  ///< whose kernels run on it
  int compute_units;  ///< SMs or CUs
  int dies;  ///< with an L2 each; blocks go to them in turn
  std::int64_t shared_bytes;  ///< most shared memory of one block
  std::int64_t unit_shared_bytes;  ///< that the blocks of a compute unit have together
  std::int64_t l2_bytes;  ///< of one die; 0: not known
  int cluster_blocks;  ///< most blocks of a cluster; 1: there are no clusters
  UnitRates unit;
  Rate clock;  ///< the highest, in Hz
  Rate l2;  ///< bytes in a clock, of the whole chip
  Rate dram;  ///< bytes in a second, of the whole chip
};

}  // namespace tilestep
