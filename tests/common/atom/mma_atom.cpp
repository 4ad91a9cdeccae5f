// The FMA atom: the instruction that every target has.

#include <tilestep/atom.hpp>  // MmaAtom, UniversalFMA

#include <catch2/catch_test_macros.hpp>  // TEST_CASE

#include <cstdint>  // std::int8_t

using namespace tilestep;

TEST_CASE("the FMA atom multiplies 1 x 1 x 1 on one thread", "[atom]") {
  using Atom = MmaAtom<UniversalFMA<float>>;
  CHECK(std::is_same_v<Atom::Shape_MNK, Shape<_1, _1, _1>>);
  CHECK(size(Atom::ThrID{}) == 1);
  CHECK(size(Atom::ALayout{}) == 1);
  CHECK(size(Atom::BLayout{}) == 1);
  CHECK(size(Atom::CLayout{}) == 1);
  CHECK(std::is_same_v<Atom::ValA, float>);
  CHECK(std::is_same_v<Atom::ValB, float>);
  CHECK(std::is_same_v<Atom::ValC, float>);
}

TEST_CASE("the FMA atom's operand types follow the accumulator's unless they are given", "[atom]") {
  CHECK(std::is_same_v<UniversalFMA<double>, UniversalFMA<double, double, double>>);
  CHECK(std::is_same_v<UniversalFMA<float, std::int8_t>, UniversalFMA<float, std::int8_t, std::int8_t>>);
  CHECK(std::is_same_v<UniversalFMA<float>, UniversalFMA<float, float, float, float>>);
  CHECK(std::is_same_v<MmaAtom<UniversalFMA<double, float, std::int8_t, double>>::ValB, std::int8_t>);
}

TEST_CASE("the FMA atom accumulates every value of a vector", "[atom]") {
  auto a = make_register_tensor<float>(_3{}), b = make_register_tensor<float>(_3{}),
       c = make_register_tensor<float>(_3{});
  static_for<3>([&](auto v) {
    a(v) = float(v + 2);
    b(v) = float(10 - v);
    c(v) = 100;
  });
  MmaAtom<UniversalFMA<float>>::call(a, b, c);
  CHECK(c(_0{}) == 120);
  CHECK(c(_1{}) == 127);
  CHECK(c(_2{}) == 132);
}

TEST_CASE("the FMA atom rounds once", "[atom]") {
  auto a = make_register_tensor<float>(_1{}), c = make_register_tensor<float>(_1{});
  a(_0{}) = 1 + 0x1p-12f;                      // its square needs 25 bits: 1 + 2^-11 + 2^-24
  c(_0{}) = -1;
  MmaAtom<UniversalFMA<float>>::call(a, a, c);
  CHECK(c(_0{}) == 0x1p-11f + 0x1p-24f);
}

TEST_CASE("the FMA atom multiplies in the accumulator's type", "[atom]") {
  auto a = make_register_tensor<std::int8_t>(_1{});
  auto c = make_register_tensor<std::int32_t>(_1{});
  a(_0{}) = -128;
  c(_0{}) = 5;
  MmaAtom<UniversalFMA<std::int32_t, std::int8_t>>::call(a, a, c);
  CHECK(c(_0{}) == 16389);
  auto x = make_register_tensor<float>(_1{});
  auto z = make_register_tensor<double>(_1{});
  x(_0{}) = 0x1.000002p0f;
  z(_0{}) = 0;
  MmaAtom<UniversalFMA<double, float>>::call(x, x, z);
  CHECK(z(_0{}) == 0x1.000002p0 * 0x1.000002p0);
}

TEST_CASE("the FMA atom rounds operands to their types first", "[atom]") {
  auto x = make_register_tensor<double>(_1{}), z = make_register_tensor<double>(_1{});
  x(_0{}) = 1 + 0x1p-40;
  z(_0{}) = 0;
  MmaAtom<UniversalFMA<double, float>>::call(x, x, z);
  CHECK(z(_0{}) == 1);
}
