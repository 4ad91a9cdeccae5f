// Kernels, so the backend's compiler reads this file.

#include "ceiling.hpp"

#include <tilestep/backend/kernel.hpp>   // thread_index
#include <tilestep/backend/launch.hpp>   // launch
#include <tilestep/backend/matrix.hpp>   // matrix_multiply_add, backend_has
#include <tilestep/backend/pointer.hpp>  // global

namespace tilestep {

namespace {

struct LoopParams {
  std::uint32_t const* operands;  // ceiling_words of them
  float* sink;                    // written if a sum is a number that none is: the compiler cannot know
  std::int64_t iterations;
};

// The sign bits of the elements in a register; integers wrap around and need no other sign.
template <DType type>
inline constexpr std::uint32_t signs = type == DType::i8 || type == DType::i32 ? 0
                                       : bits_of(type) == 16                   ? 0x80008000u
                                                                               : 0x80000000u;
/// A register with the other sign.
template <DType type, class Register>
TS_DEVICE TS_INLINE Register negated(Register bits) {
  if constexpr (type == DType::f64) return -bits;
  else return bits ^ signs<type>;
}
/// How many registers of a loop's operands there are.
template <class Register>
inline constexpr std::int64_t ceiling_registers = ceiling_words * 4 / std::int64_t(sizeof(Register));

/// Are the operands of one type that chapters have, and do sums of integers wrap around as theirs do?
template <class Op>
inline constexpr bool has_dtype = Op::a == Op::b && !Op::saturates && Op::a != DType::u8 && !is_fp8(Op::a) &&
                                  !is_subbyte(Op::a) && !IsQuadpairMma<Op>;

/// Independent chains of one matrix instruction in each warp. Every second step has B with the other sign, so that sums
/// stay small.
template <class Op>
struct MatrixLoop {
  using Shared = NoShared;
  static constexpr char const* name = "MatrixLoop";
  static constexpr int warps = 8;
  static constexpr int threads = warps * Op::lanes;
  static constexpr int chains = Op::c_registers >= 16 ? 4 : 8;

  TS_DEVICE void operator()(Shared&, LoopParams const& p) const {
    using Register = typename Op::Register;
    constexpr std::int64_t count = ceiling_registers<Register>;
    auto const operands = recast<Register const>(global(p.operands));
    Register a[Op::a_registers], b[2][Op::b_registers];
    TS_UNROLL
    for (int i = 0; i < Op::a_registers; ++i) a[i] = operands[(thread_index() + i * threads) % count];
    TS_UNROLL
    for (int i = 0; i < Op::b_registers; ++i) {
      b[0][i] = operands[(thread_index() + (i + 7) * threads) % count];
      b[1][i] = negated<Op::b>(b[0][i]);
    }
    typename Op::CRegister c[chains][Op::c_registers] = {};
    for (std::int64_t i = 0; i < p.iterations; ++i) {
      TS_UNROLL
      for (int step = 0; step < 2; ++step) {
        TS_UNROLL
        for (int chain = 0; chain < chains; ++chain) matrix_multiply_add(Op{}, a, b[step], c[chain]);
      }
    }
    float sum = 0;
    TS_UNROLL
    for (int chain = 0; chain < chains; ++chain) {
      TS_UNROLL
      for (int i = 0; i < Op::c_registers; ++i) sum += static_cast<float>(c[chain][i]);
    }
    if (sum == 1.2345e-30f) global(p.sink)[0] = sum;
  }

  static constexpr std::int64_t operations_of_block = 2LL * Op::blocks * Op::M * Op::N * Op::K * warps * chains * 2;
};

/// Independent chains of c = c * a + b in each thread.
template <class T>
struct FmaLoop {
  using Shared = NoShared;
  static constexpr char const* name = "FmaLoop";
  static constexpr int threads = 512;
  static constexpr int chains = 16;
  static constexpr int steps = 8;

  TS_DEVICE void operator()(Shared&, LoopParams const& p) const {
    T const a = T(-0.999), b = T(recast<T const>(global(p.operands))[thread_index()]);
    T c[chains];
    TS_UNROLL
    for (int chain = 0; chain < chains; ++chain) c[chain] = b + static_cast<T>(chain);
    for (std::int64_t i = 0; i < p.iterations; ++i) {
      TS_UNROLL
      for (int step = 0; step < steps; ++step) {
        TS_UNROLL
        for (int chain = 0; chain < chains; ++chain) c[chain] = fma(c[chain], a, b);
      }
    }
    float sum = 0;
    TS_UNROLL
    for (int chain = 0; chain < chains; ++chain) sum += static_cast<float>(c[chain]);
    if (sum == 1.2345e-30f) global(p.sink)[0] = sum;
  }

  static constexpr std::int64_t operations_of_block = 2LL * threads * chains * steps;
};

template <class Kernel>
void launch_loop(CeilingLoop const& loop, std::uint32_t const* operands, float* sink) {
  launch(Kernel{}, loop.blocks, LoopParams{operands, sink, loop.iterations});
}

template <class Kernel>
CeilingLoop loop_of(char const* instruction, std::int64_t blocks, std::int64_t iterations) {
  return {instruction, Kernel::operations_of_block * blocks * iterations, blocks, iterations, launch_loop<Kernel>};
}

}  // namespace

std::vector<CeilingLoop> ceiling_loops(DType operand, DType sum, std::string_view target, std::int64_t blocks,
                                       std::int64_t iterations) {
  std::vector<CeilingLoop> loops;
  for_each_matrix_instruction([&](auto op) {
    using Op = decltype(op);
    if constexpr (backend_has<Op> && has_dtype<Op>) {
      if (Op::a == operand && Op::c == sum && has_instruction<Op>(target)) {
        loops.push_back(loop_of<MatrixLoop<Op>>(Op::name, blocks, iterations));
      }
    }
  });
  if (operand == DType::f32) loops.push_back(loop_of<FmaLoop<float>>("fma", blocks, iterations));
  if (operand == DType::f64) loops.push_back(loop_of<FmaLoop<double>>("fma", blocks, iterations));
  return loops;
}

}  // namespace tilestep
