// Matrix instructions of 4 bits and of one against integers of 64 bits: every pair of operands at every k, and sums
// that leave the range of 32 bits.

#include "device.hpp"          // need_device
#include "matrix_kernels.hpp"  // OneInstruction

#include <tilestep/backend/instruction_table.hpp>  // InstructionTable
#include <tilestep/backend/runtime.hpp>            // DeviceBuffer, take_reports, target

#include <catch2/catch_test_macros.hpp>  // TEST_CASE, CHECK

#include <algorithm>  // std::clamp
#include <vector>     // matrices

namespace backend_test {

namespace {

using virtual_gpu::InstructionTable;
using virtual_gpu::Place;

/// What the bits of an operand mean.
std::int64_t number(DType type, int bits) { return type == DType::i4 && bits >= 8 ? bits - 16 : bits; }

/// The operands of one instruction as their bits, and its sums.
template <class Op>
struct Case {
  int a[Op::M][Op::K] = {}, b[Op::K][Op::N] = {};
  std::int32_t c[Op::M][Op::N] = {};

  [[nodiscard]] std::int32_t sum(int m, int n) const {
    std::int64_t exact = c[m][n];
    for (int k = 0; k < Op::K; ++k) {
      std::int64_t const x = number(Op::a, a[m][k]), y = number(Op::b, b[k][n]);
      if (Op::a == DType::u1) exact += Op::exclusive ? x != y : x == 1 && y == 1;
      else exact += x * y;
    }
    if (Op::saturates) return std::int32_t(std::clamp<std::int64_t>(exact, INT32_MIN, INT32_MAX));
    return std::int32_t(std::uint32_t(exact));
  }
};

/// Adds the registers of all lanes: value v of a lane is element(table(lane, v)).
template <class Table, class Element>
void append(std::vector<std::uint32_t>& registers, int values, int bits, Table&& table, Element&& element) {
  std::size_t const first = registers.size();
  registers.resize(first + std::size_t(32 * values * bits / 32));
  for (int at = 0; at < 32 * values; ++at) {
    std::uint32_t const value = std::uint32_t(element(table(at / values, at % values)));
    registers[first + std::size_t(at * bits / 32)] |= value << at * bits % 32;
  }
}

/// Runs all cases in one launch. @return how many sums are wrong
template <class Op>
int wrong_sums(std::vector<Case<Op>> const& cases) {
  using Table = InstructionTable<Op>;
  constexpr int bits = bits_of(Op::a);
  std::vector<std::uint32_t> a, b, c, want;
  for (Case<Op> const& each : cases) {
    append(a, Op::a_values, bits, Table::a, [&](Place p) { return each.a[p.row][p.column]; });
    append(b, Op::b_values, bits, Table::b, [&](Place p) { return each.b[p.row][p.column]; });
    append(c, Op::c_values, 32, Table::c, [&](Place p) { return each.c[p.row][p.column]; });
    append(want, Op::c_values, 32, Table::c, [&](Place p) { return each.sum(p.row, p.column); });
  }
  auto const size = [](auto const& registers) { return std::int64_t(registers.size()); };
  DeviceBuffer<std::uint32_t> device_a("a", size(a)), device_b("b", size(b)), device_c("c", size(c));
  device_a.upload(a.data(), size(a));
  device_b.upload(b.data(), size(b));
  device_c.upload(c.data(), size(c));
  launch(OneInstruction<Op>{}, size(cases), MatrixParams{device_a.data(), device_b.data(), device_c.data()});
  synchronize();
  device_c.download(c.data(), size(c));
  for (KernelReport const& report : take_reports()) {
    for (Hazard const& hazard : report.hazards) FAIL_CHECK(hazard.kind << ": " << hazard.message);
  }
  int wrong = 0;
  for (std::size_t i = 0; i < c.size(); ++i) wrong += c[i] != want[i];
  return wrong;
}

// Sums begin at the ends of their range, at 0, and a little before the ends.
std::int32_t some_c(int i) {
  constexpr std::int32_t from[] = {INT32_MAX, 0, INT32_MIN, INT32_MAX - 7, -1, INT32_MIN + 3};
  return from[i % 6];
}

/// Every pair of values at every k, where all other products are 0: a row has one value of A, a column one of B.
template <class Op>
std::vector<Case<Op>> every_pair() {
  constexpr int values = 1 << bits_of(Op::a);
  std::vector<Case<Op>> cases;
  for (int k = 0; k < Op::K; ++k) {
    for (int from_a = 0; from_a < values; from_a += Op::M) {
      for (int from_b = 0; from_b < values; from_b += Op::N) {
        Case<Op>& each = cases.emplace_back();
        for (int m = 0; m < Op::M; ++m) each.a[m][k] = (from_a + m) % values;
        for (int n = 0; n < Op::N; ++n) each.b[k][n] = (from_b + n) % values;
        for (int m = 0; m < Op::M; ++m) {
          for (int n = 0; n < Op::N; ++n) each.c[m][n] = some_c(m + 3 * n + k);
        }
      }
    }
  }
  return cases;
}

/// All operands random; sums that the products may lead across an end of the range.
template <class Op>
std::vector<Case<Op>> random_cases() {
  std::vector<Case<Op>> cases(64);
  std::uint32_t state = 2463534242u;
  auto const random = [&](int values) {
    state ^= state << 13, state ^= state >> 17, state ^= state << 5;
    return int(state >> 8) % values;
  };
  constexpr int values = 1 << bits_of(Op::a), reach = Op::a == DType::u1 ? Op::K : 16 * Op::K;
  for (Case<Op>& each : cases) {
    for (auto& row : each.a) {
      for (int& x : row) x = random(values);
    }
    for (auto& row : each.b) {
      for (int& y : row) y = random(values);
    }
    for (auto& row : each.c) {
      for (std::int32_t& sum : row) sum = random(2) == 0 ? INT32_MAX - random(reach) : INT32_MIN + random(reach);
    }
  }
  return cases;
}

/// Calls visit(op) for each instruction on each target that has it.
template <class Visit>
int for_each_here(Visit&& visit) {
  int visited = 0;
  for (TargetInfo const& info : targets) {
    if (info.vendor != Vendor::nvidia) continue;
    if (describes_tensors) set_run_options(RunOptions{std::string(info.name), {}, true, 0});
    else if (target().name != info.name) continue;
    for_each_subbyte_instruction([&](auto... op) {
      (..., [&]<class Op>(Op) {
        if constexpr (backend_has<Op>) {
          INFO(Op::name << " on " << info.name);
          visit(Op{});
          ++visited;
        }
      }(op));
    });
    if (describes_tensors) set_run_options({});
  }
  return visited;
}

}  // namespace

TEST_CASE("every pair of 4-bit integers, and of bits, is multiplied right at every k", "[matrix][subbyte]") {
  need_device();
  if (target().vendor != Vendor::nvidia) SKIP("needs a target with mma.sync");
  CHECK(for_each_here([]<class Op>(Op) { CHECK(wrong_sums<Op>(every_pair<Op>()) == 0); }) >= 30);
}

TEST_CASE("sums of 4-bit integers wrap around or stop at the ends of their range, sums of bits wrap around",
          "[matrix][subbyte]") {
  need_device();
  if (target().vendor != Vendor::nvidia) SKIP("needs a target with mma.sync");
  CHECK(for_each_here([]<class Op>(Op) { CHECK(wrong_sums<Op>(random_cases<Op>()) == 0); }) >= 30);
}

}  // namespace backend_test
