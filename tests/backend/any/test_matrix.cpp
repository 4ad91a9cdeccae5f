// Each matrix instruction that the device has, against a triple loop on small integers: by its registers, filled from
// the vendor's table, and as an atom, whose layouts find the fragments. The virtual GPU has the instructions of every
// target.

#include "device.hpp"          // need_device
#include "matrix_kernels.hpp"  // OneInstruction, OneAtom

#include <tilestep/backend/instruction_table.hpp>  // InstructionTable
#include <tilestep/backend/matrix_arithmetic.hpp>  // f16_of_f32
#include <tilestep/backend/runtime.hpp>            // DeviceBuffer, target

#include <catch2/catch_test_macros.hpp>  // TEST_CASE, CHECK

#include <string>  // messages
#include <vector>  // std::vector

namespace backend_test {

namespace {

using virtual_gpu::InstructionTable;
using virtual_gpu::Place;

/// The bits of a small integer in this type.
std::uint64_t bits_of_integer(DType type, int value) {
  float const x = float(value);
  switch (type) {
    case DType::f64: return __builtin_bit_cast(std::uint64_t, double(value));
    case DType::f16: return virtual_gpu::f16_of_f32(x);
    case DType::bf16: return __builtin_bit_cast(std::uint32_t, x) >> 16;
    case DType::f32:
    case DType::tf32: return __builtin_bit_cast(std::uint32_t, x);
    case DType::e4m3: return float_e4m3_t(x).bits;
    case DType::e5m2: return float_e5m2_t(x).bits;
    default: return std::uint32_t(value) & (bits_of(type) == 32 ? 0xffffffffu : (1u << bits_of(type)) - 1);
  }
}

/// The number that an element without a sign has for a negative one.
int seen(DType type, int value) {
  return type == DType::u8 ? value & 0xff : type == DType::u4 ? value & 0xf : type == DType::u1 ? value & 1 : value;
}
/// One product, of what bits have in common or in which they differ.
template <class Op>
int multiplied(int a, int b) {
  int const x = seen(Op::a, a), y = seen(Op::b, b);
  return Op::exclusive ? x ^ y : x * y;
}

/// Small integers without symmetry.
int element_a(int m, int k) { return (3 * m + 5 * k + m * k) % 7 - 2; }
int element_b(int k, int n) { return (2 * k + 7 * n + k * n) % 5 - 1; }
int element_c(int m, int n) { return (m + 11 * n) % 13 - 6; }

template <class Op>
int product(int m, int n) {
  int sum = element_c(m, n);
  int const first = m / Op::M * Op::K;  // row of this block of B
  for (int k = 0; k < Op::K; ++k) sum += multiplied<Op>(element_a(m, k), element_b(first + k, n));
  return sum;
}

/// Registers of all lanes: value v of lane l is element(table(l, v)).
template <class Table, class Element>
std::vector<std::uint32_t> filled(int lanes, int values, DType type, Table&& table, Element&& element) {
  int const bits = bits_of(type);
  std::vector<std::uint32_t> registers(std::size_t(lanes * values * bits / 32));
  for (int lane = 0; lane < lanes; ++lane) {
    for (int v = 0; v < values; ++v) {
      Place const place = table(lane, v);
      int const at = (lane * values + v) * bits;  // of its lowest bit
      std::uint64_t const all = bits_of_integer(type, element(place.row, place.column)) << at % 32;
      registers[std::size_t(at / 32)] |= std::uint32_t(all);
      if (bits == 64) registers[std::size_t(at / 32 + 1)] = std::uint32_t(all >> 32);
    }
  }
  return registers;
}

template <class Op>
void check_instruction() {
  using Table = InstructionTable<Op>;
  auto const a = filled(Op::lanes, Op::a_values, Op::a, Table::a, element_a);
  auto const b = filled(Op::lanes, Op::b_values, Op::b, Table::b, element_b);
  auto c = filled(Op::lanes, Op::c_values, Op::c, Table::c, element_c);
  auto const want = filled(Op::lanes, Op::c_values, Op::c, Table::c, product<Op>);
  auto const size = [](auto const& registers) { return std::int64_t(registers.size()); };
  DeviceBuffer<std::uint32_t> da("a", size(a)), db("b", size(b)), dc("c", size(c));
  da.upload(a.data(), size(a));
  db.upload(b.data(), size(b));
  dc.upload(c.data(), size(c));
  launch(OneInstruction<Op>{}, 1, MatrixParams{da.data(), db.data(), dc.data()});
  synchronize();
  dc.download(c.data(), size(c));
  CHECK(c == want);
}

template <class Op>
void check_atom() {
  using Atom = MmaAtom<Op>;
  constexpr int M = AtomParams<Op>::M, N = AtomParams<Op>::N, K = AtomParams<Op>::K;
  std::vector<typename Atom::ValA> a(std::size_t(M * K));
  std::vector<typename Atom::ValB> b(std::size_t(N * K));
  std::vector<typename Atom::ValC> c(std::size_t(M * N)), want(c.size());
  auto const number = []<class T>(T, int value) {
    if constexpr (std::is_integral_v<T> || std::is_convertible_v<T, int>) return T(value);
    else return T(float(value));
  };
  for (int k = 0; k < K; ++k) {
    for (int m = 0; m < M; ++m) a[std::size_t(m + M * k)] = number(typename Atom::ValA{}, element_a(m, k));
    for (int n = 0; n < N; ++n) b[std::size_t(n + N * k)] = number(typename Atom::ValB{}, element_b(k, n));
  }
  for (int m = 0; m < M; ++m) {
    for (int n = 0; n < N; ++n) {
      int sum = element_c(m, n);
      for (int k = 0; k < K; ++k) sum += multiplied<Op>(element_a(m, k), element_b(k, n));
      c[std::size_t(m + M * n)] = number(typename Atom::ValC{}, element_c(m, n));
      want[std::size_t(m + M * n)] = number(typename Atom::ValC{}, sum);
    }
  }
  DeviceBuffer<typename Atom::ValA> da("a", M * K);
  DeviceBuffer<typename Atom::ValB> db("b", N * K);
  DeviceBuffer<typename Atom::ValC> dc("c", M * N);
  da.upload(a.data(), M * K);
  db.upload(b.data(), N * K);
  dc.upload(c.data(), M * N);
  launch(OneAtom<Op>{}, 1, AtomParams<Op>{da.data(), db.data(), dc.data()});
  synchronize();
  dc.download(c.data(), M * N);
  CHECK(c == want);
}

/// Element (row, column) of matrix i has the number 64 i + 8 row + column + 1.
template <int Matrices, bool Transposed>
void check_load_matrices() {
  std::vector<std::uint16_t> rows(256);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = std::uint16_t(i + 1);
  DeviceBuffer<std::uint16_t> in("in", 256);
  DeviceBuffer<std::uint32_t> out("out", 32 * Matrices);
  in.upload(rows.data(), 256);
  launch(LoadMatrices<Matrices, Transposed>{}, 1, LoadMatrixParams{in.data(), out.data()});
  synchronize();
  std::vector<std::uint32_t> registers(std::size_t(32 * Matrices));
  out.download(registers.data(), 32 * Matrices);
  for (int lane = 0; lane < 32; ++lane) {
    for (int matrix = 0; matrix < Matrices; ++matrix) {
      auto const number = [&](int i, int j) {
        return std::uint32_t(64 * matrix + (Transposed ? 8 * j + i : 8 * i + j) + 1);
      };
      int const i = lane / 4, j = 2 * (lane % 4);
      INFO("lane " << lane << ", matrix " << matrix);
      CHECK(registers[std::size_t(lane * Matrices + matrix)] == (number(i, j) | number(i, j + 1) << 16));
    }
  }
}

template <bool TransposeB>
void check_load_matrix_gemm() {
  std::vector<half_t> a(64 * 32), b(64 * 32);
  std::vector<float> c(64 * 64), want(64 * 64);
  for (int k = 0; k < 32; ++k) {
    for (int m = 0; m < 64; ++m) a[std::size_t(32 * m + k)] = half_t(float(element_a(m, k)));
    for (int n = 0; n < 64; ++n) b[std::size_t(TransposeB ? n + 64 * k : 32 * n + k)] = half_t(float(element_b(k, n)));
  }
  for (int m = 0; m < 64; ++m) {
    for (int n = 0; n < 64; ++n) {
      int sum = 0;
      for (int k = 0; k < 32; ++k) sum += element_a(m, k) * element_b(k, n);
      want[std::size_t(64 * m + n)] = float(sum);
    }
  }
  DeviceBuffer<half_t> da("a", 64 * 32), db("b", 64 * 32);
  DeviceBuffer<float> dc("c", 64 * 64);
  da.upload(a.data(), 64 * 32);
  db.upload(b.data(), 64 * 32);
  launch(LoadMatrixGemm<TransposeB>{}, 1, LoadMatrixGemmParams{da.data(), db.data(), dc.data()});
  synchronize();
  dc.download(c.data(), 64 * 64);
  CHECK(c == want);
}

/// Calls visit(op) for every instruction of the device; on the virtual GPU, for every target.
template <class Visit>
int for_each_instruction_here(Visit&& visit) {
  int visited = 0;
  for (TargetInfo const& info : targets) {
    bool const on_virtual_gpu = describes_tensors;
    if (on_virtual_gpu) set_run_options(RunOptions{std::string(info.name), {}, true, 0});
    else if (target().name != info.name) continue;
    for_each_matrix_instruction([&]<class Op>(Op op) {
      if constexpr (backend_has<Op>) {
        if (!has_instruction<Op>(info.name)) return;
        INFO(Op::name << " on " << info.name);
        visit(op);
        ++visited;
      }
    });
    if (on_virtual_gpu) set_run_options({});
  }
  return visited;
}

void check_reports() {
  for (KernelReport const& report : take_reports()) {
    for (Hazard const& hazard : report.hazards) FAIL_CHECK(hazard.kind << ": " << hazard.message);
  }
}

}  // namespace

TEST_CASE("every matrix instruction multiplies as its table says", "[matrix]") {
  need_device();
  CHECK(for_each_instruction_here([]<class Op>(Op) {
    check_instruction<Op>();
    check_reports();
  }) > 0);
}

TEST_CASE("every matrix atom multiplies matrices through its layouts", "[matrix]") {
  need_device();
  CHECK(for_each_instruction_here([]<class Op>(Op) {
    check_atom<Op>();
    check_reports();
  }) > 0);
}

TEST_CASE("ldmatrix shares out the rows of one, two and four matrices, plain and transposed", "[matrix]") {
  need_device();
  if (target().vendor != Vendor::nvidia) SKIP("needs a target with ldmatrix");
  check_load_matrices<1, false>();
  check_load_matrices<2, false>();
  check_load_matrices<4, false>();
  check_load_matrices<1, true>();
  check_load_matrices<2, true>();
  check_load_matrices<4, true>();
  check_reports();
}

TEST_CASE("a tile read by ldmatrix into the fragments of a tiled MMA is multiplied right, B along K and along N",
          "[matrix]") {
  need_device();
  if (target().vendor != Vendor::nvidia) SKIP("needs a target with ldmatrix");
  check_load_matrix_gemm<false>();
  check_load_matrix_gemm<true>();
  check_reports();
}

}  // namespace backend_test
