// Matrix instructions and ldmatrix on the virtual GPU: what they count, what they refuse, special values; and wrong
// layouts of an atom, each of which must show.

#include "run_kernel.hpp"

#include "../any/matrix_kernels.hpp"  // OneAtom, OneInstruction, gemm

#include <cstring>  // std::memcpy
#include <limits>   // std::numeric_limits

using namespace host_test;

namespace {

/// Zero registers for one instruction, and its results.
template <class Op>
struct RegisterBuffers {
  /// Of 32 bits: an f64 has two.
  static std::size_t words(int values, DType type) { return std::size_t(Op::lanes * values * bits_of(type) / 32); }
  std::vector<std::uint32_t> a = std::vector<std::uint32_t>(words(Op::a_values, Op::a));
  std::vector<std::uint32_t> b = std::vector<std::uint32_t>(words(Op::b_values, Op::b));
  std::vector<std::uint32_t> c = std::vector<std::uint32_t>(words(Op::c_values, Op::c));

  template <class Kernel>
  KernelReport run(Kernel const& kernel, char const* target) {
    auto const size = [](auto const& registers) { return std::int64_t(registers.size()); };
    DeviceBuffer<std::uint32_t> da("a", size(a)), db("b", size(b)), dc("c", size(c));
    da.upload(a.data(), size(a));
    db.upload(b.data(), size(b));
    dc.upload(c.data(), size(c));
    KernelReport const report = host_test::run(kernel, 1, backend_test::MatrixParams{da.data(), db.data(), dc.data()},
                                               RunOptions{target, {}, true, 1});
    dc.download(c.data(), size(c));
    return report;
  }
  KernelReport run(char const* target) { return run(backend_test::OneInstruction<Op>{}, target); }
};

std::uint32_t bits(float value) { return __builtin_bit_cast(std::uint32_t, value); }
float as_float(std::uint32_t value) { return __builtin_bit_cast(float, value); }

/// Number `at` of the f64 in registers of 32 bits.
double f64_at(std::vector<std::uint32_t> const& words, int at) {
  double value;
  std::memcpy(&value, &words[std::size_t(2 * at)], 8);
  return value;
}
void set_f64(std::vector<std::uint32_t>& words, int at, double value) {
  std::memcpy(&words[std::size_t(2 * at)], &value, 8);
}

template <class Op>
struct ManyInstructions {
  static constexpr char const* name = "ManyInstructions";
  static constexpr int threads = 3 * Op::lanes;
  using Shared = NoShared;
  void operator()(Shared&, backend_test::MatrixParams const&) const {
    std::uint32_t a[Op::a_registers] = {}, b[Op::b_registers] = {};
    typename Op::CRegister c[Op::c_registers] = {};
    for (int i = 0; i < 5; ++i) matrix_multiply_add(Op{}, a, b, c);
    if (warp_index() == 1) matrix_multiply_add(SM80_16x8x16_F32BF16BF16F32_TN{}, a, b, reinterpret_cast<float*>(c));
  }
};

/// `Lanes` lanes of a warp come.
template <int Threads, int Lanes>
struct SomeLanes {
  static constexpr char const* name = "SomeLanes";
  static constexpr int threads = Threads;
  using Shared = NoShared;
  void operator()(Shared&, backend_test::MatrixParams const&) const {
    std::uint32_t a[4] = {}, b[2] = {};
    float c[4] = {};
    if (lane_index() < Lanes) matrix_multiply_add(SM80_16x8x16_F32F16F16F32_TN{}, a, b, c);
  }
};

/// Two instructions at one place of a header, chosen by the lane.
struct TwoInstructions {
  static constexpr char const* name = "TwoInstructions";
  static constexpr int threads = 32;
  using Shared = NoShared;
  template <class Op>
  static void one(Op op) {
    std::uint32_t a[4] = {}, b[2] = {};
    float c[4] = {};
    matrix_multiply_add(op, a, b, c);
  }
  void operator()(Shared&, backend_test::MatrixParams const&) const {
    if (lane_index() == 7) one(SM80_16x8x16_F32BF16BF16F32_TN{});
    else one(SM80_16x8x16_F32F16F16F32_TN{});
  }
};

/// gemm() on a tile of fragments, and its instructions one by one: what both leave, side by side.
template <class Op>
struct TileParams {
  typename MmaAtom<Op>::ValC* tile;
  typename MmaAtom<Op>::ValC* single;
};
template <class Op>
struct TileAgainstInstructions {
  static constexpr char const* name = "TileAgainstInstructions";
  static constexpr int threads = Op::lanes;
  using Shared = NoShared;
  void operator()(Shared&, TileParams<Op> const& p) const {
    using Atom = MmaAtom<Op>;
    auto a = make_register_tensor<typename Atom::ValA>(make_shape(Int<Op::a_values>{}, _2{}, _2{}));
    auto b = make_register_tensor<typename Atom::ValB>(make_shape(Int<Op::b_values>{}, _3{}, _2{}));
    auto c = make_register_tensor<typename Atom::ValC>(make_shape(Int<Op::c_values>{}, _2{}, _3{}));
    std::uint32_t seed = std::uint32_t(lane_index() % 16);  // RDNA3 wants both halves alike
    auto const fill_with_numbers = [&](auto& tensor) {
      for (auto& element : tensor.engine.elements) {
        seed = seed * 1664525u + 1013904223u;
        using T = std::remove_reference_t<decltype(element)>;
        if constexpr (std::is_integral_v<T>) element = T(seed >> 24);
        else element = T(float(int(seed >> 8) - (1 << 23)) * 0x1p-20f);
      }
    };
    fill_with_numbers(a);
    fill_with_numbers(b);
    fill_with_numbers(c);
    auto d = c;
    gemm(Atom{}, a, b, c);
    static_for<2>([&](auto k) {
      static_for<2>([&](auto m) {
        static_for<3>([&](auto n) { Atom::call(a(_, m, k), b(_, n, k), d(_, m, n)); });
      });
    });
    constexpr int count = int(sizeof(c.engine.elements) / sizeof(c.engine.elements[0]));
    for (int i = 0; i < count; ++i) {
      global(p.tile)[thread_index() * count + i] = c.engine.elements[i];
      global(p.single)[thread_index() * count + i] = d.engine.elements[i];
    }
  }
};

struct RowParams {
  int pitch, shift;  // of the rows, in elements
};
template <int Matrices>
struct LoadRows {
  static constexpr char const* name = "LoadRows";
  static constexpr int threads = 32;
  struct Shared { SharedArray<std::uint16_t, 4096> tile; };
  void operator()(Shared& memory, RowParams const& p) const {
    auto const tile = shared(memory.tile, "tile");
    for (int i = thread_index(); i < 4096; i += 32) tile[i] = std::uint16_t(i);
    sync_threads();
    std::uint32_t registers[Matrices];
    ldmatrix<Matrices, false>(tile + (lane_index() * p.pitch + p.shift), registers);
  }
};

struct NoBarrier {
  static constexpr char const* name = "NoBarrier";
  static constexpr int threads = 64;
  struct Shared { SharedArray<std::uint16_t, 512> tile; };
  void operator()(Shared& memory, RowParams const& p) const {
    auto const tile = shared(memory.tile, "tile");
    for (int i = 0; i < 8; ++i) tile[8 * (63 - thread_index()) + i] = std::uint16_t(i);
    if (p.shift != 0) sync_threads();
    std::uint32_t registers[4];
    ldmatrix<4, false>(tile + 8 * thread_index(), registers);
  }
};

}  // namespace

TEST_CASE("matrix instructions are counted by name", "[host][matrix]") {
  using Op = SM80_16x8x16_F32F16F16F32_TN;
  KernelReport report = run(ManyInstructions<Op>{}, 2, backend_test::MatrixParams{}, RunOptions{"sm90", {}, true, 2});
  CHECK(text(report) == "");
  std::vector<InstructionCount> const want{{SM80_16x8x16_F32BF16BF16F32_TN::name, 2}, {Op::name, 30}};
  CHECK(report.counters.matrix_instructions == want);
  CHECK(report.counters.shuffles == 0);
  Counters twice = report.counters;
  twice += report.counters;
  CHECK(twice.matrix_instructions ==
        std::vector<InstructionCount>{{SM80_16x8x16_F32BF16BF16F32_TN::name, 4}, {Op::name, 60}});
  CHECK(twice != report.counters);
}

TEST_CASE("a tile of matrix instructions is what its instructions are one by one", "[host][matrix]") {
  for (TargetInfo const& info : targets) {
    for_each_matrix_instruction([&]<class Op>(Op) {
      if (!has_instruction<Op>(info.name)) return;
      INFO(Op::name << " on " << info.name);
      using T = typename MmaAtom<Op>::ValC;
      int const size = 6 * Op::lanes * Op::c_values;
      DeviceBuffer<T> tile("tile", size), single("single", size);
      KernelReport const report = run(TileAgainstInstructions<Op>{}, 1, TileParams<Op>{tile.data(), single.data()},
                                      RunOptions{std::string(info.name), {}, true, 1});
      CHECK(text(report) == "");
      CHECK(report.counters.matrix_instructions == std::vector<InstructionCount>{{Op::name, 24}});
      std::vector<T> x(std::size_t(size), T{}), y(x);
      tile.download(x.data(), size);
      single.download(y.data(), size);
      CHECK(x == y);
    });
  }
}

TEST_CASE("a matrix instruction that not all lanes reach is a hazard", "[host][matrix]") {
  CHECK(text(run(SomeLanes<32, 32>{}, 1, backend_test::MatrixParams{})) == "");
  for (Schedule const& schedule : schedules) {
    KernelReport const report =
        run(SomeLanes<32, 16>{}, 1, backend_test::MatrixParams{}, RunOptions{"sm80", schedule, true, 1});
    REQUIRE(only(report, "divergent barrier"));
    CHECK(report.hazards[0].message.find(
              "waits in mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 at test_matrix.cpp:") != std::string::npos);
    CHECK(report.hazards[0].message.find("every lane of a warp must come to the same place") != std::string::npos);
  }
  KernelReport const partial = run(SomeLanes<40, 32>{}, 1, backend_test::MatrixParams{});
  REQUIRE(only(partial, "divergent barrier"));
  CHECK(partial.hazards[0].message.find("has only 8 lanes") != std::string::npos);
}

TEST_CASE("lanes that come to different matrix instructions at one place are a hazard", "[host][matrix]") {
  KernelReport const report = run(TwoInstructions{}, 1, backend_test::MatrixParams{});
  REQUIRE(only(report, "divergent barrier"));
  CHECK(report.hazards[0].message.find("bf16") != std::string::npos);
}

TEST_CASE("a target refuses the matrix instructions of others", "[host][matrix]") {
  KernelReport const report = RegisterBuffers<CDNA_32x32x8_F32F16F16F32>{}.run("sm80");
  REQUIRE(only(report, "broken requirement"));
  CHECK(report.hazards[0].message.find("v_mfma_f32_32x32x8_f16 at matrix_kernels.hpp") != std::string::npos);
  CHECK(report.hazards[0].message.find("which sm80 does not have") != std::string::npos);
  CHECK(only(RegisterBuffers<CDNA2_32x32x8_I32I8I8I32>{}.run("gfx942"), "broken requirement"));
  CHECK(only(RegisterBuffers<CDNA4_16x16x32_F32F16F16F32>{}.run("gfx942"), "broken requirement"));
  CHECK(only(RegisterBuffers<RDNA3_16x16x16_F32F16F16F32>{}.run("gfx1201"), "broken requirement"));
  CHECK(only(RegisterBuffers<SM90_16x8x4_F64F64F64F64_TN>{}.run("sm80"), "broken requirement"));
  CHECK(only(RegisterBuffers<CDNA_16x16x4_F64F64F64F64>{}.run("gfx1100"), "broken requirement"));
  CHECK(text(RegisterBuffers<CDNA4_16x16x32_F32F16F16F32>{}.run("gfx950")) == "");
}

TEST_CASE("RDNA3 wants A and B alike in both halves of the warp", "[host][matrix]") {
  RegisterBuffers<RDNA3_16x16x16_F32F16F16F32> registers;
  registers.b[16 * 8 + 3] = 0x3c00;
  KernelReport const report = registers.run("gfx1100");
  REQUIRE(only(report, "broken requirement"));
  CHECK(report.hazards[0].message.find("lanes 16 to 31 bring another B") != std::string::npos);
  registers.b[3] = 0x3c00;
  CHECK(text(registers.run("gfx1100")) == "");
}

TEST_CASE("NaN and infinity spread along their row and column", "[host][matrix]") {
  float const infinity = std::numeric_limits<float>::infinity();
  RegisterBuffers<CDNA_32x32x2_F32F32F32F32> x;
  for (std::uint32_t& one : x.b) one = bits(1.0f);
  x.a[3] = bits(infinity);                                    // A(3,0): lane 3
  x.a[5] = bits(std::numeric_limits<float>::quiet_NaN());     // A(5,0)
  CHECK(text(x.run("gfx90a")) == "");
  for (int lane = 0; lane < 64; ++lane) {
    for (int r = 0; r < 16; ++r) {
      int const m = 8 * (r / 4) + 4 * (lane / 32) + r % 4;
      float const got = as_float(x.c[std::size_t(16 * lane + r)]);
      if (m == 3) CHECK(got == infinity);
      else if (m == 5) CHECK(std::isnan(got));
      else CHECK(got == 0);
    }
  }
}

TEST_CASE("tf32 operands lose their low 13 bits", "[host][matrix]") {
  RegisterBuffers<SM80_16x8x8_F32TF32TF32F32_TN> x;
  for (std::uint32_t& one : x.b) one = bits(1.0f) | 0x1fff;
  x.a[0] = bits(3.0f) | 0x1fff;  // A(0,0)
  CHECK(text(x.run("sm80")) == "");
  CHECK(as_float(x.c[0]) == 3.0f);
}

TEST_CASE("tensor cores cut what does not fit f32; AMD's round to nearest", "[host][matrix]") {
  // 1 + 3 * 2^-25 lies between 1 and 1 + 2^-23, nearer to the latter only when rounded: 0.75 of the way.
  RegisterBuffers<SM80_16x8x16_F32F16F16F32_TN> nvidia;
  nvidia.a[0] = 0x1200;  // A(0,0) = 3 * 2^-12
  nvidia.b[0] = 0x0800;  // B(0,0) = 2^-13
  nvidia.c[0] = bits(1.0f);
  CHECK(text(nvidia.run("sm80")) == "");
  CHECK(nvidia.c[0] == bits(1.0f));

  RegisterBuffers<CDNA_32x32x8_F32F16F16F32> amd;
  amd.a[0] = 0x1200;
  amd.b[0] = 0x0800;
  amd.c[0] = bits(1.0f);
  CHECK(text(amd.run("gfx942")) == "");
  CHECK(amd.c[0] == bits(1.0f) + 1);
}

TEST_CASE("f64 sums are fused multiply-adds in the order of k, each rounded to nearest", "[host][matrix][f64]") {
  double const tie = 0x1p-53, half_up = 0x1p-53 * (1 + 0x1p-52);
  auto const sum = [](double c, std::vector<double> const& a, std::vector<double> const& b) {
    RegisterBuffers<SM90_16x8x16_F64F64F64F64_TN> x;
    set_f64(x.c, 0, c);  // C(0,0)
    for (int k = 0; k < int(a.size()); ++k) {
      set_f64(x.a, 8 * (k % 4) + 2 * (k / 4), a[std::size_t(k)]);  // A(0,k)
      set_f64(x.b, 4 * (k % 4) + k / 4, b[std::size_t(k)]);        // B(k,0)
    }
    CHECK(text(x.run("sm90")) == "");
    return f64_at(x.c, 0);
  };
  std::vector<double> const ones(16, 1.0);
  CHECK(sum(1, std::vector<double>(16, tie), ones) == 1);  // each a tie; added up first they would be 2^-49
  CHECK(sum(1, std::vector<double>(16, half_up), ones) == 1 + 0x1p-48);
  std::vector<double> order(16, 0.0);
  order[0] = 0x1p53, order[7] = 1, order[15] = -0x1p53;
  CHECK(sum(0, order, ones) == 0);  // 2^53 + 1 is a tie; in another order the sum is 1
  CHECK(sum(-1, {1 + 0x1p-30}, {1 - 0x1p-30}) == -0x1p-60);  // the product is not rounded
  CHECK(sum(0, {0x1p-1022}, {0x1p-40}) == 0x1p-1062);        // subnormal
}

TEST_CASE("v_mfma_f64_4x4x4 computes four products of their own", "[host][matrix][f64]") {
  RegisterBuffers<CDNA_4x4x4_F64F64F64F64> x;
  auto const a = [](int block, int i, int k) { return 100.0 * block + 10 * i + k - 0.5; };
  auto const b = [](int block, int k, int j) { return block - 3.0 * k + 7 * j; };
  // AMD matrix instruction calculator: A[i][k] in lane 4 block + 16 k + i, B[k][j] in 4 block + 16 k + j, D[i][j] in
  // 16 i + 4 block + j
  for (int block = 0; block < 4; ++block) {
    for (int k = 0; k < 4; ++k) {
      for (int i = 0; i < 4; ++i) set_f64(x.a, 4 * block + 16 * k + i, a(block, i, k));
      for (int j = 0; j < 4; ++j) set_f64(x.b, 4 * block + 16 * k + j, b(block, k, j));
    }
  }
  CHECK(text(x.run("gfx90a")) == "");
  for (int block = 0; block < 4; ++block) {
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < 4; ++j) {
        double want = 0;
        for (int k = 0; k < 4; ++k) want += a(block, i, k) * b(block, k, j);
        CHECK(f64_at(x.c, 16 * i + 4 * block + j) == want);
      }
    }
  }
}

TEST_CASE("gfx90a takes subnormal f16 for zero, gfx942 does not", "[host][matrix]") {
  for (char const* const target : {"gfx90a", "gfx942"}) {
    RegisterBuffers<CDNA_32x32x8_F32F16F16F32> x;
    x.a[0] = 0x0001;  // A(0,0) = 2^-24
    x.b[0] = 0x3c00;  // B(0,0) = 1
    CHECK(text(x.run(target)) == "");
    CHECK(as_float(x.c[0]) == (std::string(target) == "gfx90a" ? 0.0f : 0x1p-24f));
  }
}

TEST_CASE("an f16 accumulator is rounded to nearest, ties to even", "[host][matrix]") {
  auto const sum = [](std::uint32_t c, std::uint32_t a) {
    RegisterBuffers<SM80_16x8x16_F16F16F16F16_TN> x;
    x.a[0] = a;
    x.b[0] = 0x3c00;
    x.c[0] = c;
    CHECK(text(x.run("sm80")) == "");
    return x.c[0];
  };
  CHECK(sum(0x6800, 0x3c00) == 0x6800);  // 2048 + 1: a tie, to 2048
  CHECK(sum(0x6801, 0x3c00) == 0x6802);  // 2050 + 1: a tie, to 2052
  CHECK(sum(0x7bff, 0x5000) == 0x7c00);  // 65504 + 32 overflows
  CHECK(sum(0x7bff, 0x3c00) == 0x7bff);
  CHECK(sum(0x0001, 0x0002) == 0x0003);  // subnormal
}

TEST_CASE("integers wrap around", "[host][matrix]") {
  RegisterBuffers<SM80_16x8x32_S32S8S8S32_TN> x;
  x.a[0] = 0x80;                 // -128
  x.b[0] = 0x7f;                 // 127
  x.c[0] = 0x80000000u;
  CHECK(text(x.run("sm80")) == "");
  CHECK(x.c[0] == 0x80000000u - 128u * 127u);
}

namespace {

/// C(0,0) = C(0,0) + A(0,0) B(0,0): all three stand in lane 0, in the lowest bits of its first registers.
template <class Op>
std::uint32_t one_product(std::uint32_t a, std::uint32_t b, std::uint32_t c, char const* target = "sm80") {
  RegisterBuffers<Op> x;
  x.a[0] = a;
  x.b[0] = b;
  x.c[0] = c;
  CHECK(text(x.run(target)) == "");
  return x.c[0];
}

}  // namespace

TEST_CASE("8-bit integers without a sign are 0 to 255, on either side", "[host][matrix]") {
  CHECK(one_product<SM80_16x8x32_S32S8S8S32_TN>(0x80, 0xff, 5) == 5 + 128);
  CHECK(one_product<SM80_16x8x32_S32S8U8S32_TN>(0x80, 0xff, 5) == std::uint32_t(5 - 128 * 255));
  CHECK(one_product<SM80_16x8x32_S32U8S8S32_TN>(0x80, 0xff, 5) == std::uint32_t(5 - 128));
  CHECK(one_product<SM80_16x8x32_S32U8U8S32_TN>(0x80, 0xff, 5) == 5 + 128 * 255);
  CHECK(one_product<SM80_16x8x16_S32S8U8S32_TN>(0x80, 0xff, 5) == std::uint32_t(5 - 128 * 255));
  CHECK(one_product<SM80_16x8x16_S32U8S8S32_TN>(0x80, 0xff, 5) == std::uint32_t(5 - 128));
  CHECK(one_product<SM80_8x8x16_S32S8U8S32_TN>(0x80, 0xff, 5) == std::uint32_t(5 - 128 * 255));
  CHECK(one_product<SM80_8x8x16_S32U8U8S32_TN_SATURATE>(0x80, 0xff, 5) == 5 + 128 * 255);
  CHECK(one_product<SM80_16x8x32_S32U8U8S32_TN>(0x80, 0xff, 0x7fffffff) == 0x7fffffffu + 128 * 255);  // wraps
}

TEST_CASE(".satfinite stops sums at both ends of 32 bits", "[host][matrix]") {
  auto const stops = []<class Op>(Op) {
    INFO(Op::name);
    auto const has_sign = [](DType type) { return type == DType::i8 || type == DType::i4; };
    bool const sign_a = has_sign(Op::a), sign_b = has_sign(Op::b);
    CHECK(one_product<Op>(2, 3, 0x7ffffffau) == 0x7fffffffu);
    CHECK(one_product<Op>(2, 3, 0x7ffffff9u) == 0x7fffffffu);  // the exact sum
    CHECK(one_product<Op>(2, 3, 0x7ffffff8u) == 0x7ffffffeu);
    if (sign_a) CHECK(one_product<Op>(0xfe, 3, 0x80000005u) == 0x80000000u);
    if (sign_b) CHECK(one_product<Op>(3, 0xfe, 0x80000005u) == 0x80000000u);
    if (sign_a) CHECK(one_product<Op>(0xfe, 3, 0x80000007u) == 0x80000001u);
  };
  int seen = 0;
  for_each_matrix_instruction([&]<class Op>(Op op) {
    if constexpr (Op::saturates) {
      stops(op);
      ++seen;
    }
  });
  CHECK(seen == 24);
  RegisterBuffers<SM80_16x8x32_S32S8S8S32_TN_SATURATE> x;
  x.a[0] = 0x7f7f;  // A(0,0) = A(0,1) = 127
  x.b[0] = 0x817f;  // B(0,0) = 127, B(1,0) = -127: the sum of both products is 0
  x.c[0] = 0x7fffffff;
  CHECK(text(x.run("sm80")) == "");
  CHECK(x.c[0] == 0x7fffffff);
}

TEST_CASE("FP8 has the numbers of its formats, mixed as the name says", "[host][matrix]") {
  auto const f32 = []<class Op>(Op, std::uint32_t a, std::uint32_t b) {
    return as_float(one_product<Op>(a, b, 0, "sm90"));
  };
  // 0x7b: 352 in e4m3, 57344 in e5m2; 0x01: 2^-9 and 2^-16
  CHECK(f32(SM89_16x8x32_F32E4M3E4M3F32_TN{}, 0x7b, 0x01) == 352 * 0x1p-9f);
  CHECK(f32(SM89_16x8x32_F32E4M3E5M2F32_TN{}, 0x7b, 0x01) == 352 * 0x1p-16f);
  CHECK(f32(SM89_16x8x32_F32E5M2E4M3F32_TN{}, 0x7b, 0x01) == 57344 * 0x1p-9f);
  CHECK(f32(SM89_16x8x32_F32E5M2E5M2F32_TN{}, 0x7b, 0x01) == 57344 * 0x1p-16f);
  CHECK(f32(SM89_16x8x32_F32E4M3E4M3F32_TN{}, 0xfe, 0x38) == -448);  // times 1
  CHECK(std::isnan(f32(SM89_16x8x32_F32E4M3E4M3F32_TN{}, 0x7f, 0x38)));
  CHECK(std::isinf(f32(SM89_16x8x32_F32E5M2E4M3F32_TN{}, 0x7c, 0x38)));
  CHECK(one_product<SM89_16x8x32_F16E4M3E5M2F16_TN>(0x38, 0x3c, 0x3c00, "sm90") == 0x4000);  // 1 x 1 + 1 = 2
  CHECK(one_product<SM89_16x8x32_F16E5M2E5M2F16_TN>(0x7b, 0x3c, 0x7bff, "sm90") == 0x7c00);  // overflows
  CHECK(only(RegisterBuffers<SM89_16x8x32_F32E4M3E4M3F32_TN>{}.run("sm80"), "broken requirement"));
}

TEST_CASE("FP8 on sm90 adds bytes 0 and 1 of each register, then bytes 2 and 3, then C", "[host][matrix]") {
  // C(0,0) with k = 0, 1, 2, 3 in one register of A and of B, the lowest k in the lowest bits. 0x3c is 1.
  auto const sum = []<class Op>(Op, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    RegisterBuffers<Op> x;
    x.a[0] = a, x.b[0] = b, x.c[0] = c;
    CHECK(text(x.run("sm90")) == "");
    return x.c[0];
  };
  SM89_16x8x32_F16E5M2E5M2F16_TN const f16;
  CHECK(sum(f16, 0x003c3c68, 0x3c3c3c3c, 0) == 0x6800);       // 2048 + 1 is rounded, and so is the 1 of k = 2 on top
  CHECK(sum(f16, 0x3c3c0068, 0x3c3c3c3c, 0) == 0x6801);       // 2048, then 1 + 1 at once
  CHECK(sum(f16, 0x003c003c, 0x3c3c3c3c, 0x6800) == 0x6801);  // 1 + 1, then C = 2048
  SM89_16x8x32_F32E5M2E5M2F32_TN const f32;
  CHECK(sum(f32, 0x003c3c6c, 0x3c3c3c6c, 0) == bits(0x1p24f));  // 2^24 + 1 is cut, twice
  CHECK(sum(f32, 0x3c3c006c, 0x3c3c3c6c, 0) == bits(0x1p24f + 2));
  CHECK(sum(f32, 0x003c003c, 0x3c3c3c3c, bits(0x1p24f)) == bits(0x1p24f + 2));
  CHECK(sum(f32, 0x0000003c, 0x3c3c3c3c, bits(0x1p24f + 2)) == bits(0x1p24f + 4));  // C is added to nearest
}

TEST_CASE("ldmatrix reads rows of 16 bytes in phases of 8 addresses", "[host][matrix]") {
  auto const loads = [](KernelReport const& report) {
    CHECK(text(report) == "");
    Counters const& c = report.counters;
    return std::array<std::int64_t, 4>{c.shared_load_requests, c.shared_load_bytes, c.shared_load_wavefronts,
                                       c.shared_load_wavefronts_ideal};
  };
  CHECK(loads(run(LoadRows<4>{}, 1, RowParams{8, 0})) == std::array<std::int64_t, 4>{1, 512, 4, 4});    // packed rows
  // rows of 128 bytes: 8-way conflicts
  CHECK(loads(run(LoadRows<4>{}, 1, RowParams{64, 0})) == std::array<std::int64_t, 4>{1, 512, 32, 4});
  // padded by 16 bytes
  CHECK(loads(run(LoadRows<4>{}, 1, RowParams{72, 0})) == std::array<std::int64_t, 4>{1, 512, 4, 4});
  CHECK(loads(run(LoadRows<2>{}, 1, RowParams{64, 0})) == std::array<std::int64_t, 4>{1, 256, 16, 2});
  CHECK(loads(run(LoadRows<1>{}, 1, RowParams{32, 0})) == std::array<std::int64_t, 4>{1, 128, 4, 1});
}

TEST_CASE("ldmatrix refuses rows that are not aligned to 16 bytes, rows outside, and AMD", "[host][matrix]") {
  KernelReport const shifted = run(LoadRows<4>{}, 1, RowParams{8, 4});
  CHECK(only(shifted, "misaligned access"));
  CHECK(only(run(LoadRows<4>{}, 1, RowParams{65, 0}), "misaligned access"));
  CHECK(only(run(LoadRows<4>{}, 1, RowParams{136, 0}), "out of bounds"));
  CHECK(text(run(LoadRows<1>{}, 1, RowParams{136, 0})) == "");  // lanes 8 to 31 give no address
  KernelReport const amd = run(LoadRows<4>{}, 1, RowParams{8, 0}, RunOptions{"gfx1100", {}, true, 1});
  REQUIRE(only(amd, "broken requirement"));
  CHECK(amd.hazards[0].message.find("which gfx1100 does not have") != std::string::npos);
}

TEST_CASE("ldmatrix before the barrier is a race", "[host][matrix]") {
  for (Schedule const& schedule : schedules) {
    INFO("schedule " << name(schedule));
    CHECK(only(run(NoBarrier{}, 1, RowParams{0, 0}, RunOptions{"sm80", schedule, true, 1}), "race"));
    CHECK(text(run(NoBarrier{}, 1, RowParams{0, 1}, RunOptions{"sm80", schedule, true, 1})) == "");
  }
}

// ---- Wrong layouts ----

namespace {

/// The instruction Op with the layout of one operand read value by value instead of lane by lane.
template <class Op, char Operand>
struct Mutant : Op {};

template <class L>
using Reordered = decltype(composition(
    L{}, Layout<Shape<Int<size_v<decltype(get<0>(L{}.shape()))>>, Int<size_v<decltype(get<1>(L{}.shape()))>>>,
                Stride<Int<size_v<decltype(get<1>(L{}.shape()))>>, _1>>{}));

}  // namespace

template <class Op>
struct tilestep::MmaTraits<Mutant<Op, 'A'>> : MmaTraits<Op> {
  using ALayout = Reordered<typename MmaTraits<Op>::ALayout>;
};
template <class Op>
struct tilestep::MmaTraits<Mutant<Op, 'B'>> : MmaTraits<Op> {
  using BLayout = Reordered<typename MmaTraits<Op>::BLayout>;
};
template <class Op>
struct tilestep::MmaTraits<Mutant<Op, 'C'>> : MmaTraits<Op> {
  using CLayout = Reordered<typename MmaTraits<Op>::CLayout>;
};

namespace {

/// Multiplies small matrices with the atom of MutantOp. @return whether the product is right and there were no hazards
template <class Op, class MutantOp>
bool multiplies(char const* target) {
  using Atom = MmaAtom<Op>;
  auto const number = []<class T>(T*, int value) {
    if constexpr (std::is_integral_v<T>) return T(value);
    else return T(float(value));
  };
  std::vector<typename Atom::ValA> a(std::size_t(Op::M * Op::K));
  std::vector<typename Atom::ValB> b(std::size_t(Op::N * Op::K));
  std::vector<typename Atom::ValC> c(std::size_t(Op::M * Op::N)), want(c.size());
  auto const value_a = [](int m, int k) { return (3 * m + 5 * k + m * k) % 7 - 2; };
  auto const value_b = [](int n, int k) { return (2 * k + 7 * n + k * n) % 5 - 1; };
  for (int k = 0; k < Op::K; ++k) {
    for (int m = 0; m < Op::M; ++m) a[std::size_t(m + Op::M * k)] = number(a.data(), value_a(m, k));
    for (int n = 0; n < Op::N; ++n) b[std::size_t(n + Op::N * k)] = number(b.data(), value_b(n, k));
  }
  for (int m = 0; m < Op::M; ++m) {
    for (int n = 0; n < Op::N; ++n) {
      int sum = 0;
      for (int k = 0; k < Op::K; ++k) {
        int x = value_a(m, k), y = value_b(n, k);
        if constexpr (is_subbyte(Op::a)) {  // as they are without a sign
          x = int(a[std::size_t(m + Op::M * k)]);
          y = int(b[std::size_t(n + Op::N * k)]);
        }
        sum += Op::exclusive ? x ^ y : x * y;
      }
      c[std::size_t(m + Op::M * n)] = number(c.data(), 0);
      want[std::size_t(m + Op::M * n)] = number(c.data(), sum);
    }
  }
  DeviceBuffer<typename Atom::ValA> da("a", Op::M * Op::K);
  DeviceBuffer<typename Atom::ValB> db("b", Op::N * Op::K);
  DeviceBuffer<typename Atom::ValC> dc("c", Op::M * Op::N);
  da.upload(a.data(), Op::M * Op::K);
  db.upload(b.data(), Op::N * Op::K);
  dc.upload(c.data(), Op::M * Op::N);
  KernelReport const report = run(backend_test::OneAtom<MutantOp>{}, 1,
                                  backend_test::AtomParams<MutantOp>{da.data(), db.data(), dc.data()},
                                  RunOptions{target, {}, true, 1});
  dc.download(c.data(), Op::M * Op::N);
  return report.hazards.empty() && c == want;
}

template <class Op>
void check_mutants(char const* target) {
  INFO(Op::name << " on " << target);
  CHECK(multiplies<Op, Op>(target));
  CHECK_FALSE(multiplies<Op, Mutant<Op, 'A'>>(target));
  CHECK_FALSE(multiplies<Op, Mutant<Op, 'B'>>(target));
  CHECK_FALSE(multiplies<Op, Mutant<Op, 'C'>>(target));
}

}  // namespace

TEST_CASE("an atom with a wrong layout gives a wrong product", "[host][matrix][mutant]") {
  check_mutants<SM80_16x8x16_F32F16F16F32_TN>("sm80");
  check_mutants<SM80_16x8x8_F32TF32TF32F32_TN>("sm90");
  check_mutants<SM80_16x8x32_S32S8S8S32_TN>("sm80");
  check_mutants<SM80_16x8x16_S32S8S8S32_TN_SATURATE>("sm80");
  check_mutants<SM80_8x8x16_S32S8S8S32_TN_SATURATE>("sm90");
  check_mutants<SM89_16x8x32_F32E5M2E4M3F32_TN>("sm90");
  check_mutants<SM80_16x8x64_S32S4U4S32_TN>("sm80");
  check_mutants<SM80_16x8x32_S32U4U4S32_TN_SATURATE>("sm80");
  check_mutants<SM80_8x8x128_S32U1U1S32_TN_ANDPOPC>("sm80");
  check_mutants<SM80_16x8x256_S32U1U1S32_TN_XORPOPC>("sm90");
  check_mutants<SM90_16x8x16_F64F64F64F64_TN>("sm90");
  CHECK_FALSE(multiplies<SM80_8x8x4_F64F64F64F64_TN, Mutant<SM80_8x8x4_F64F64F64F64_TN, 'C'>>("sm80"));
  CHECK_FALSE(multiplies<CDNA_16x16x4_F64F64F64F64, Mutant<CDNA_16x16x4_F64F64F64F64, 'C'>>("gfx942"));
  check_mutants<CDNA_32x32x8_F32BF16BF16F32>("gfx90a");
  check_mutants<CDNA_16x16x16_F32F16F16F32>("gfx942");
  check_mutants<CDNA3_16x16x32_I32I8I8I32>("gfx942");
  check_mutants<CDNA4_32x32x16_F32F16F16F32>("gfx950");
  check_mutants<RDNA3_16x16x16_F32F16F16F32>("gfx1100");
  check_mutants<RDNA4_16x16x16_F32F16F16F32>("gfx1201");
  check_mutants<RDNA4_16x16x16_I32I8I8I32>("gfx1201");
  check_mutants<RDNA4_16x16x16_F32E4M3E4M3F32>("gfx1201");
}
