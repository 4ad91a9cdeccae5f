// The check of matrix instructions finds what is wrong, and the records of its runs cover the instructions of the
// targets.

#include "describe.hpp"           // describe
#include "instruction_check.hpp"  // check, check_load

#include <tilestep/backend/target.hpp>  // targets

#include <catch2/catch_test_macros.hpp>  // TEST_CASE, CHECK
#include <nlohmann/json.hpp>             // records

#include <algorithm>   // std::rotate
#include <bit>         // std::bit_cast
#include <filesystem>  // the records
#include <fstream>     // std::ifstream
#include <map>         // std::map
#include <optional>    // std::optional
#include <set>         // std::set

using namespace instruction_check;
using namespace tilestep;

namespace {

/// A device that follows the tables and the arithmetic of the virtual GPU, with something wrong in its operands or its
/// results.
/// @param compared  a model to compare its results with, other than the virtual GPU's
using Fault = std::function<void(Triple& matrices)>;
Result check_with(Instruction instruction, Fault const& before, Fault const& after, Fault const& compared) {
  Fault const device = instruction.model;
  if (compared) instruction.model = compared;
  instruction.run = [&i = instruction, device, before, after](std::vector<Triple>& cases) {
    for (Triple& each : cases) {
      Triple matrices{from_registers(i.a, i.lanes, each.a), from_registers(i.b, i.lanes, each.b),
                      from_registers(i.c, i.lanes, each.c)};
      if (before) before(matrices);
      device(matrices);
      if (after) after(matrices);
      each.c = to_registers(i.c, i.lanes, matrices.c);
    }
  };
  return check(instruction);
}
template <class Op>
Result check_with(Fault const& before, Fault const& after, char const* target = "gfx942", Fault const& compared = {}) {
  return check_with(describe<Op>(target, {}), before, after, compared);
}

/// The kinds that found something wrong.
std::set<std::string> wrong_kinds(Result const& result) {
  std::set<std::string> kinds;
  for (KindResult const& row : result.kinds) {
    if (row.wrong != 0) kinds.insert(row.kind);
  }
  return kinds;
}

using Mfma = CDNA_32x32x8_F32F16F16F32;
using MfmaF32 = CDNA_32x32x2_F32F32F32F32;
using MfmaI8 = CDNA3_16x16x32_I32I8I8I32;
using Mma = SM80_16x8x16_F16F16F16F16_TN;
using MmaF64 = SM90_16x8x8_F64F64F64F64_TN;
using MfmaBlocks = CDNA_4x4x4_F64F64F64F64;

float as_float(std::uint64_t bits) { return std::bit_cast<float>(std::uint32_t(bits)); }

}  // namespace

TEST_CASE("a device that does as the tables say is right, and its arithmetic gets its name", "[instructions]") {
  Result const result = check_with<Mfma>({}, {});
  CHECK(result.wrong() == 0);
  CHECK(result.as_model());
  REQUIRE(result.reproduced_by.size() == 1);
  CHECK(result.reproduced_by[0] ==
        "one product after the other, each sum to nearest, subnormal operands kept, subnormal sums kept");
  Result const flushed = check_with<Mfma>({}, {}, "gfx90a");
  REQUIRE(flushed.reproduced_by.size() == 1);
  CHECK(flushed.reproduced_by[0] ==
        "one product after the other, each sum to nearest, subnormal operands flushed, subnormal sums flushed");
  CHECK(check_with<MfmaI8>({}, {}).as_model());
  CHECK(check_with<Mma>({}, {}, "sm90").as_model());
}

TEST_CASE("f64 that follows the tables is right, and its arithmetic gets its name", "[instructions][f64]") {
  for (Result const& result : {check_with<MmaF64>({}, {}, "sm90"), check_with<MfmaBlocks>({}, {}, "gfx90a"),
                               check_with<SM80_8x8x4_F64F64F64F64_TN>({}, {}, "sm80")}) {
    INFO(result.name);
    CHECK(result.wrong() == 0);
    CHECK(result.as_model());
    REQUIRE(result.reproduced_by.size() == 1);
    CHECK(result.reproduced_by[0] ==
          "one product after the other, each sum to nearest, subnormal operands kept, subnormal sums kept");
  }
}

TEST_CASE("f64 in another order of k has another name, and is within the bound", "[instructions][f64]") {
  // The lanes hold k = 0, 4, 1, 5, ...: the products in that order.
  auto const reorder = [](Triple& t) {
    Triple const old = t;
    for (std::size_t at = 0; at < 8; ++at) {
      std::size_t const k = 4 * (at % 2) + at / 2;
      for (std::size_t m = 0; m < 16; ++m) t.a[8 * m + at] = old.a[8 * m + k];
      for (std::size_t n = 0; n < 8; ++n) t.b[8 * at + n] = old.b[8 * k + n];
    }
  };
  Result const result = check_with<MmaF64>(reorder, {}, "sm90");
  CHECK(result.wrong() == 0);
  CHECK_FALSE(result.as_model());
  REQUIRE(result.reproduced_by.size() == 1);
  CHECK(result.reproduced_by[0] == "one product after the other, each sum to nearest, lane by lane, subnormal operands "
                                   "kept, subnormal sums kept");
}

TEST_CASE("f64 with the digits of f32, products of another block, and a last bit are found", "[instructions][f64]") {
  auto const as_f32 = [](Triple& t) {
    for (auto& c : t.c) c &= ~((std::uint64_t(1) << 29) - 1);
  };
  CHECK(wrong_kinds(check_with<MmaF64>({}, as_f32, "sm90")).contains("random"));
  auto const next_block = [](Triple& t) { std::rotate(t.b.begin(), t.b.begin() + 16, t.b.end()); };
  CHECK(wrong_kinds(check_with<MfmaBlocks>(next_block, {}, "gfx90a")).contains("one k"));
  auto const last_bit = [](Triple& t) {
    for (auto& c : t.c) {
      double const value = std::bit_cast<double>(c);
      c ^= std::fabs(value) > 0x1p-20 && value != std::nearbyint(value) ? 1u : 0u;
    }
  };
  Result const result = check_with<MmaF64>({}, last_bit, "sm90");
  CHECK_FALSE(result.as_model());
  CHECK(result.reproduced_by.empty());
}

TEST_CASE("elements in the wrong place are found", "[instructions]") {
  // Two rows of C, two neighbours along k in A alone, A and B exchanged.
  CHECK(wrong_kinds(check_with<Mfma>({}, [](Triple& t) {
          std::swap_ranges(t.c.begin() + 4 * 32, t.c.begin() + 5 * 32, t.c.begin() + 8 * 32);
        })).contains("one k"));
  CHECK(wrong_kinds(check_with<Mfma>(
                        [](Triple& t) {
                          for (std::size_t m = 0; m < 32; ++m) std::swap(t.a[8 * m + 1], t.a[8 * m + 2]);
                        },
                        {}))
            .contains("one k"));
  CHECK(wrong_kinds(check_with<Mfma>([](Triple& t) {
          for (std::size_t m = 0; m < 32; ++m) {
            for (std::size_t k = 0; k < 8; ++k) std::swap(t.a[8 * m + k], t.b[32 * k + m]);
          }
        }, {})).contains("one k"));
  CHECK(
      wrong_kinds(check_with<MfmaI8>([](Triple& t) { std::swap(t.b[5], t.b[16 * 7 + 3]); }, {})).contains("integers"));
}

TEST_CASE("a product that is missing and a C that is not added are found", "[instructions]") {
  CHECK(wrong_kinds(check_with<Mfma>(
                        [](Triple& t) {
                          for (std::size_t m = 0; m < 32; ++m) t.a[8 * m + 7] = 0;
                        },
                        {}))
            .contains("one k"));
  CHECK(wrong_kinds(check_with<Mfma>([](Triple& t) { std::fill(t.c.begin(), t.c.end(), 0u); }, {})).contains("one k"));
}

TEST_CASE("results with too few bits are found where they matter", "[instructions]") {
  auto const keep = [](std::uint32_t mask) { return [mask](Triple& t) { for (auto& c : t.c) c &= mask; }; };
  CHECK(wrong_kinds(check_with<MfmaF32>({}, keep(0xffff0000u))).contains("random"));
  CHECK(wrong_kinds(check_with<MfmaF32>(
                        [](Triple& t) {
                          for (auto& a : t.a) a &= 0xffffe000u;
                        },
                        {}))
            .contains("random"));
  // One unit of the last place is within the bound, but no model gives those bits.
  Result const last_bit = check_with<MfmaF32>({}, [](Triple& t) {
    for (auto& c : t.c) c ^= std::fabs(as_float(c)) > 0x1p-20f && as_float(c) != std::nearbyint(as_float(c)) ? 1u : 0u;
  });
  CHECK(last_bit.wrong() == 0);
  CHECK_FALSE(last_bit.as_model());
  CHECK(last_bit.reproduced_by.empty());
}

TEST_CASE("a lost NaN, a finite infinity and a wrong sign are found", "[instructions]") {
  auto const replace = [](auto&& which, std::uint32_t by) {
    return [=](Triple& t) { for (auto& c : t.c) c = which(as_float(c)) ? by : c; };
  };
  CHECK(wrong_kinds(check_with<Mfma>({}, replace([](float c) { return std::isnan(c); }, 0))) ==
        std::set<std::string>{"specials"});
  CHECK(wrong_kinds(check_with<Mfma>({}, replace([](float c) { return std::isinf(c); }, 0x7f7fffffu))) ==
        std::set<std::string>{"specials"});
  CHECK(wrong_kinds(check_with<Mfma>({}, replace([](float c) { return std::isinf(c); }, 0x7f800000u))) ==
        std::set<std::string>{"specials"});
  Result const zeros = check_with<Mfma>({}, replace([](float c) { return c == 0; }, 0));
  CHECK(zeros.wrong() == 0);  // the sign of a zero is counted, not judged
  CHECK_FALSE(zeros.as_model());
  CHECK(zeros.kinds[2].zero_signs > 0);
}

TEST_CASE("8-bit integers taken without a sign, and sums that stop at the end of their range, are found",
          "[instructions]") {
  CHECK(wrong_kinds(check_with<MfmaI8>(
                        [](Triple& t) {
                          for (auto& a : t.a) a = a == 0x80 ? 0x7f : a;
                        },
                        {}))
            .contains("integers"));
  CHECK(wrong_kinds(check_with<MfmaI8>({}, [](Triple& t) {
          for (auto& c : t.c) c = c > 0x7ffe0000u && c < 0x80000000u ? 0x7fffffffu : c;
        })) == std::set<std::string>{"wrap around"});
}

TEST_CASE("4-bit integers taken without a sign, bits in common for bits that differ, and lost limits are found",
          "[instructions][subbyte]") {
  auto const unsigned_a = [](Triple& t) {
    for (auto& a : t.a) a = a == 8 ? 7 : a;
  };
  CHECK(wrong_kinds(check_with<SM80_16x8x64_S32S4S4S32_TN>(unsigned_a, {}, "sm80")).contains("integers"));
  auto const as = [](auto op) {
    Instruction const other = describe<decltype(op)>("sm80", {});
    return [model = other.model](Triple& t) { model(t); };
  };
  using Xor = SM80_16x8x256_S32U1U1S32_TN_XORPOPC;
  using And = SM80_16x8x256_S32U1U1S32_TN_ANDPOPC;
  CHECK(check_with<Xor>({}, {}, "sm80", as(Xor{})).wrong() == 0);
  CHECK(wrong_kinds(check_with<Xor>({}, {}, "sm80", as(And{}))).contains("one k"));
  CHECK(wrong_kinds(check_with<And>({}, {}, "sm80", as(Xor{}))).contains("integers"));
  CHECK(wrong_kinds(check_with<SM80_8x8x32_S32U4S4S32_TN>({}, {}, "sm80", as(SM80_8x8x32_S32U4S4S32_TN_SATURATE{}))) ==
        std::set<std::string>{"wrap around"});
}

TEST_CASE("an f16 accumulator may round at the end, and not lose more", "[instructions]") {
  CHECK(wrong_kinds(check_with<Mma>(
                        {},
                        [](Triple& t) {
                          for (auto& c : t.c) c &= 0xfff8u;
                        },
                        "sm90"))
            .contains("random"));
}

TEST_CASE("either half of each FP8 register holds what one instruction of f16 takes", "[instructions][fp8]") {
  using Float8 = virtual_gpu::InstructionTable<SM89_16x8x32_F32E4M3E4M3F32_TN>;
  using Half = virtual_gpu::InstructionTable<SM80_16x8x16_F32F16F16F32_TN>;
  auto const along_k = [](int k, int byte) { return k / 2 * 4 + byte + k % 2; };  // as multiply_add_as_f16() takes it
  for (int lane = 0; lane < 32; ++lane) {
    for (int value = 0; value < 8; ++value) {
      for (int const byte : {0, 2}) {
        Place const eight = Float8::a(lane, value / 2 * 4 + byte + value % 2), half = Half::a(lane, value);
        CHECK((eight.row == half.row && eight.column == along_k(half.column, byte)));
        if (value >= 4) continue;
        Place const eight_b = Float8::b(lane, value / 2 * 4 + byte + value % 2), half_b = Half::b(lane, value);
        CHECK((eight_b.column == half_b.column && eight_b.row == along_k(half_b.row, byte)));
      }
    }
  }
}

TEST_CASE("FP8 with f16 sums may round three times, and not lose more", "[instructions][fp8]") {
  auto const cut = [](Triple& t) {
    for (auto& c : t.c) c &= 0xfff8u;
  };
  CHECK(wrong_kinds(check_with<SM89_16x8x32_F16E4M3E4M3F16_TN>({}, cut, "sm90")).contains("random"));
}

TEST_CASE("wrong rows, halves and transposes of ldmatrix are found", "[instructions]") {
  // swap: the halves of a register; plain: no transpose where one was asked for
  auto const load = [](bool swap, bool plain, int shift) {
    return [=](LoadCase& c) {
      c.registers.resize(std::size_t(32 * c.matrices));
      for (int lane = 0; lane < 32; ++lane) {
        for (int matrix = 0; matrix < c.matrices; ++matrix) {
          auto const element = [&](int i, int j) {
            int const r = c.transposed && !plain ? j : i, column = c.transposed && !plain ? i : j;
            return std::uint32_t(
                c.rows[std::size_t(c.row_of[std::size_t((8 * matrix + r + shift) % 32)] * 8 + column)]);
          };
          int const i = lane / 4, j = 2 * (lane % 4);
          c.registers[std::size_t(lane * c.matrices + matrix)] = element(i, swap ? j + 1 : j) |
                                                                 element(i, swap ? j : j + 1) << 16;
        }
      }
    };
  };
  for (int matrices : {1, 2, 4}) {
    CHECK(check_load(matrices, false, load(false, false, 0)).wrong == 0);
    CHECK(check_load(matrices, true, load(false, false, 0)).wrong == 0);
    CHECK(check_load(matrices, true, load(false, true, 0)).wrong > 0);
    CHECK(check_load(matrices, false, load(true, false, 0)).wrong > 0);
    CHECK(check_load(matrices, false, load(false, false, 8)).wrong > 0);
  }
}

TEST_CASE("the models round like f32 and f16", "[instructions]") {
  auto const number = [](float value) { return decode(DType::f32, std::bit_cast<std::uint32_t>(value)); };
  auto const evaluated = [&](Model model, float c, float a, float b) {
    return as_float(evaluate(model, number(c), {number(a)}, {number(b)}));
  };
  float const numbers[] = {1.0f, -1.0f,           0x1.fffffep0f,   0x1p-126f, -0x1.8p-140f,   0x1p-149f,
                           3.0f, -0x1.234568p20f, 0x1.000002p-30f, 0x1p-75f,  0x1.555556p-24f};
  for (float const a : numbers) {
    for (float const b : numbers) {
      for (float const c : numbers) {
        INFO(a << " * " << b << " + " << c);
        CHECK(evaluated({}, c, a, b) == std::fma(a, b, c));
      }
    }
    CHECK(nearest_f16(std::bit_cast<std::uint32_t>(a)) == virtual_gpu::f16_of_f32(a));
  }
  double const wide[] = {1.0,          -1.0,         0x1.fffffffffffffp0, 0x1p-1022,        -0x1.8p-1060, 0x1p-1074,
                         3.0, -0x1.23456789abcdep200, 0x1.0000000000001p-30, 0x1p-539, 0x1.5555555555556p-53, 0x1p500};
  auto const number_f64 = [](double value) { return decode(DType::f64, std::bit_cast<std::uint64_t>(value)); };
  for (double const a : wide) {
    for (double const b : wide) {
      for (double const c : wide) {
        INFO(a << " * " << b << " + " << c);
        CHECK(std::bit_cast<double>(evaluate({}, number_f64(c), {number_f64(a)}, {number_f64(b)}, DType::f64)) ==
              std::fma(a, b, c));
      }
    }
  }
  CHECK(evaluated({.cut = true}, 1.0f, 0x1.fffffep-25f, 1.0f) == 1.0f);
  CHECK(evaluated({.cut = true}, 1.0f, -0x1p-25f, 1.0f) == 0x1.fffffep-1f);
  CHECK(evaluated({.fraction = 24, .cut = true}, 1.0f, -0x1p-25f, 1.0f) == 1.0f);
  CHECK(evaluated({.flush_operands = true}, 0.0f, 0x1p-130f, 0x1p100f) == 0.0f);
  CHECK(evaluated({.flush_sums = true}, 0.0f, 0x1p-70f, 0x1p-70f) == 0.0f);
}

TEST_CASE("where a model gives every bit of a recorded device, the virtual GPU computes by it", "[instructions]") {
  int named = 0;
  for (auto const& file : std::filesystem::directory_iterator(RECORDS)) {
    if (file.path().extension() != ".json") continue;
    auto const record = nlohmann::json::parse(std::ifstream(file.path()));
    if (record["backend"] != "cuda") continue;  // emulators say what AMD's code says, not what hardware does
    for (auto const& row : record["instructions"]) {
      std::string const target = row["target"], name = row["instruction"];
      if (row["reproduced_by"].empty()) continue;
      std::optional<Result> here;
      for_each_matrix_instruction([&]<class Op>(Op) {
        if (name == Op::name && has_instruction<Op>(target)) here = check_with<Op>({}, {}, target.c_str());
      });
      if (!here) continue;
      INFO(target << " " << name << ": " << row["reproduced_by"]);
      CHECK(here->wrong() == 0);
      CHECK(nlohmann::json(here->reproduced_by) == row["reproduced_by"]);
      ++named;
    }
  }
  CHECK(named >= 15);
}

TEST_CASE("records cover every instruction of the targets that an emulator or a device has run", "[instructions]") {
  std::map<std::string, std::set<std::string>> right;  // target -> instructions
  std::set<std::string> loads;                         // targets whose ldmatrix has run
  for (auto const& file : std::filesystem::directory_iterator(RECORDS)) {
    if (file.path().extension() != ".json") continue;  // other tests' records
    INFO(file.path().string());
    auto const record = nlohmann::json::parse(std::ifstream(file.path()));
    for (auto const& row : record["instructions"]) {
      CHECK(row["verdict"] == "right");
      bool const fp8_of_sm90 = std::string(row["instruction"]).starts_with("mma.sync.aligned.m16n8k32.row.col.f");
      for (auto const& kind : row["kinds"]) {
        CHECK(kind["wrong"] == 0);
        // Two instructions of f16 and an addition give the device's bits, but for what m16n8k16 with f16 sums misses.
        if (fp8_of_sm90) CHECK(kind["as_model"].get<int>() >= kind["results"].get<int>() - 1);
      }
      CHECK(row["cases"].get<int>() >= 100);
      right[row["target"]].insert(row["instruction"]);
    }
    // ldmatrix has no arithmetic: every bit is right.
    for (auto const& row : record["loads"]) {
      CHECK(row["cases"].get<int>() > 0);
      CHECK(row["wrong"] == 0);
    }
    if (!record["loads"].empty()) loads.insert(record["target"]);
  }
  for (char const* const target : {"sm90", "gfx90a", "gfx942", "gfx1100", "gfx1201"}) {
    INFO("no record in tests/backend/any/results is of " << target);
    CHECK(right.contains(target));
  }
  CHECK(loads == std::set<std::string>{"sm90"});
  for (auto const& [target, names] : right) {
    std::map<std::string, DType> of_target;  // instruction -> type of A
    for_each_matrix_instruction([&]<class Op>(Op) {
      if (has_instruction<Op>(target)) of_target.emplace(Op::name, Op::a);
    });
    for (auto const& [name, type] : of_target) {
      INFO(target << " " << name);
      // No device has run FP8 of gfx1201 yet. A record that has it takes it out of this list.
      bool const not_yet = is_fp8(type) && target == "gfx1201";
      CHECK(names.contains(name) != not_yet);
    }
  }
}
