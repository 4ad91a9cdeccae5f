#pragma once
// Operands on the device for what is timed: several copies of A, B and C in rotation, so that L2 does not hold the next
// ones.

#include <tilestep/backend/runtime.hpp>  // device_alloc

#include "gemm_run.hpp"  // Operands, GemmSetup

#include <vector>  // parts

namespace tilestep {

/// Device memory that is given back.
class DeviceMemory {
 public:
  DeviceMemory(char const* name, std::int64_t bytes, std::int64_t element_size)
      : memory_(device_alloc(name, bytes, element_size)) {}
  ~DeviceMemory() {
    if (memory_ != nullptr) device_free(memory_);
  }
  DeviceMemory(DeviceMemory const&) = delete;
  DeviceMemory& operator=(DeviceMemory const&) = delete;
  [[nodiscard]] unsigned char* at(std::int64_t offset) const { return static_cast<unsigned char*>(memory_) + offset; }

 private:
  void* memory_;
};

/// As many copies of the operands as twice the L2 needs.
class OperandSets {
 public:
  /// Copies of what is on the host.
  OperandSets(GemmSetup const& setup, Operands const& operands, std::int64_t l2_bytes);
  /// Normally distributed numbers that repeat, made in a moment however large the problem is.
  OperandSets(GemmSetup const& setup, std::int64_t l2_bytes);

  [[nodiscard]] std::int64_t count() const { return count_; }

  /// The call on the next set.
  GemmCall const& next();
  /// The bias of the set that next() gave last, in C's type; null without a bias.
  [[nodiscard]] void const* bias_in_type_of_c() const { return bias_in_type_of_c_; }

 private:
  enum Part { part_a, part_b, part_c, part_bias, part_narrow_bias, part_residual, parts };

  OperandSets(GemmSetup const& setup, std::vector<std::int64_t> const& bytes, std::int64_t l2_bytes);
  /// Each set after the first is a copy of it.
  void repeat();
  void fill(Part part, HostMatrix const& matrix);
  void fill_by_piece(Part part, DType type, std::uint64_t seed);
  [[nodiscard]] bool has(Part part) const { return bytes_[part] > 0; }
  [[nodiscard]] unsigned char* at(std::int64_t set, Part part) const {
    return memory_.at(set * first_[parts] + first_[part]);
  }

  GemmCall call_;
  std::vector<std::int64_t> bytes_;  // of each part
  // byte of each part in a set, where an allocation could start; then the size of a set
  std::vector<std::int64_t> first_;
  std::int64_t count_;
  DeviceMemory memory_;
  std::int64_t next_ = 0;
  void const* bias_in_type_of_c_ = nullptr;
};

}  // namespace tilestep
