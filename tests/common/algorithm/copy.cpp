// copy and copy_if in host memory and registers. The memories of a GPU are in copy_kernels.cpp.

#include <tilestep/algorithm.hpp>  // copy, copy_if, VectorAccess, fill
#include <tilestep/atom/half.hpp>  // half_t

#include <tilestep/backend/error.hpp>  // Error

#include <catch2/catch_test_macros.hpp>                  // TEST_CASE
#include <catch2/matchers/catch_matchers_exception.hpp>  // CHECK_THROWS_MATCHES
#include <catch2/matchers/catch_matchers_string.hpp>     // StartsWith

#include <cstdint>  // std::int8_t
#include <numeric>  // std::iota
#include <tuple>    // coordinates of three modes
#include <utility>  // pairs of coordinates
#include <vector>   // host memory

using namespace tilestep;

namespace {

std::vector<int> numbers(int count, int first = 0) {
  std::vector<int> values(static_cast<std::size_t>(count));
  std::iota(values.begin(), values.end(), first);
  return values;
}

}  // namespace

TEST_CASE("copy copies every element, each seen through its own layout", "[algorithm][copy]") {
  auto const in = numbers(12);
  std::vector<int> out(12);
  // a transpose of the storage
  copy(make_tensor(in.data(), make_shape(3, 4), LayoutRight{}), make_tensor(out.data(), make_shape(3, 4)));
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 4; ++j) CHECK(out[std::size_t(i + 3 * j)] == in[std::size_t(4 * i + j)]);
  }
}

TEST_CASE("copy takes any logical shape of one size: an index counts both", "[algorithm][copy]") {
  auto const in = numbers(32);
  std::vector<int> out(32), back(32);
  copy(make_tensor(in.data(), make_shape(_8{}, _4{}), LayoutRight{}), make_tensor(out.data(), _32{}));
  for (int i = 0; i < 32; ++i) CHECK(out[std::size_t(i)] == 4 * (i % 8) + i / 8);
  auto r = make_register_tensor<int>(Shape<_4, _2, _4>{});
  copy(make_tensor(out.data(), make_shape(32)), r);
  copy_if([](int i) { return i != 5; }, r, make_tensor(back.data(), make_shape(8, 4), LayoutRight{}));
  for (int i = 0; i < 32; ++i) CHECK(back[std::size_t(i)] == (i == 4 * 5 ? 0 : i));
  CHECK_THROWS_AS(copy(make_tensor(in.data(), make_shape(8, 4)), make_tensor(out.data(), make_shape(31))), Error);
}

TEST_CASE("copy leaves the gaps of the destination alone", "[algorithm][copy]") {
  auto const in = numbers(6, 1);
  std::vector<int> out(12, -1);
  copy(make_tensor(in.data(), make_shape(2, 3), LayoutRight{}),
       make_tensor(out.data(), make_shape(2, 3), make_stride(6, 2)));
  CHECK(out == std::vector<int>{1, -1, 2, -1, 3, -1, 4, -1, 5, -1, 6, -1});
}

TEST_CASE("copy_if leaves elements whose predicate is zero untouched, and fills nothing", "[algorithm][copy]") {
  auto const in = numbers(12, 100);
  for (auto const& pattern :
       {std::vector<int>(12, 0), std::vector<int>(12, 1), std::vector<int>{0, 1, 0, 2, 0, -7, 1, 0, 0, 1, 1, 0}}) {
    std::vector<int> out(12, -1);
    auto const shape = make_shape(3, 4);
    copy_if(make_tensor(pattern.data(), shape), make_tensor(in.data(), shape), make_tensor(out.data(), shape));
    for (std::size_t i = 0; i < 12; ++i) CHECK(out[i] == (pattern[i] != 0 ? in[i] : -1));
  }
}

TEST_CASE("a predicate may be a tensor, registers or a function of the coordinate", "[algorithm][copy]") {
  auto const in = numbers(6, 100);
  auto const src = make_tensor(in.data(), make_shape(_2{}, _3{}));
  auto wanted = make_register_tensor<bool>(make_shape(_2{}, _3{}));
  static_for<6>([&](auto i) { wanted(i) = i % 3 != 0; });
  std::vector<int> by_registers(6, -1), by_function(6, -1);
  auto r = make_register_tensor<int>(make_shape(_2{}, _3{}));
  fill(r, -1);
  copy_if(wanted, src, r);
  copy(r, make_tensor(by_registers.data(), make_shape(_2{}, _3{})));
  copy_if([](auto const& c) { return (get<0>(c) + 2 * get<1>(c)) % 3 != 0; }, src,
          make_tensor(by_function.data(), make_shape(2, 3)));
  CHECK(by_registers == std::vector<int>{-1, 101, 102, -1, 104, 105});
  CHECK(by_function == by_registers);
}

TEST_CASE("a source element whose predicate is zero is not read", "[algorithm][copy]") {
  int const four[4] = {1, 2, 3, 4};
  std::vector<int> out(100, -1);
  auto const beyond = make_tensor(static_cast<int const*>(four), make_layout(1 << 20));  // only four of these exist
  auto const dst = make_tensor(out.data(), make_layout(make_shape(1 << 20), make_stride(0)));
  copy_if([](int i) { return i == 3; }, beyond, dst);
  CHECK(out[0] == 4);
}

TEST_CASE("copy between registers, and from run-time shapes into registers", "[algorithm][copy]") {
  auto const in = numbers(6);
  auto a = make_register_tensor<int>(make_shape(_6{}));
  auto b = make_register_tensor<int>(Layout<Shape<_6>, Stride<_2>>{});
  copy(make_tensor(in.data(), make_shape(6)), a);  // the extent of the registers is the known one
  copy(a, b);
  static_for<6>([&](auto i) { CHECK(b(i) == i); });
  std::vector<int> out(6);
  copy(b, make_tensor(out.data(), make_shape(6)));
  CHECK(out == in);
}

TEST_CASE("copy converts to the destination's type", "[algorithm][copy]") {
  float const in[3] = {1.5f, -2.25f, 65504.0f};
  auto h = make_register_tensor<half_t>(_3{});
  copy(make_tensor(in, _3{}), h);
  double out[3];
  auto f = make_register_tensor<float>(_3{});
  copy(h, f);
  copy(f, make_tensor(out, _3{}));
  CHECK((out[0] == 1.5 && out[1] == -2.25 && out[2] == 65504));
}

TEST_CASE("copy of nested modes and of nothing", "[algorithm][copy]") {
  auto const in = numbers(24);
  std::vector<int> out(24, -1);
  copy(make_tensor(in.data(), make_shape(make_shape(2, 3), 4)),
       make_tensor(out.data(), make_shape(make_shape(_2{}, _3{}), _4{})));
  CHECK(out == in);
  copy(make_tensor(in.data(), make_shape(0, 4)), make_tensor(out.data(), make_shape(0, 4)));
  copy(make_tensor(in.data(), make_shape(4, 0)), make_tensor(out.data(), make_shape(4, 0)));
  CHECK(out == in);
}

TEST_CASE("run-time extents that differ are an error that names the mode, the predicate's too", "[algorithm][copy]") {
  auto in = numbers(120);
  auto const t = [&](auto const&... s) { return make_tensor(in.data(), make_shape(s...)); };
  auto const says = [](char const* text) { return Catch::Matchers::MessageMatches(Catch::Matchers::StartsWith(text)); };
  auto const never = [](auto const&) { return false; };
  char const* const modes[] = {
      "mode 0 of source, destination or predicate", "mode 1 of source, destination or predicate",
      "mode 2 of source, destination or predicate", "mode 3 of source, destination or predicate"};
  CHECK_THROWS_MATCHES(copy(t(3, 4), t(4, 3)), Error, says(modes[0]));
  CHECK_THROWS_MATCHES(copy(t(3, 4), t(4, 4)), Error, says(modes[0]));
  CHECK_THROWS_MATCHES(copy(t(3, 4), t(3, 5)), Error, says(modes[1]));
  CHECK_THROWS_MATCHES(copy(t(3, 4, 2), t(3, 4, 5)), Error, says(modes[2]));
  CHECK_THROWS_MATCHES(copy(t(3, 4, 2, 5), t(3, 4, 2, 4)), Error, says(modes[3]));
  CHECK_THROWS_MATCHES(copy(t(3, 4, 2, 1, 2), t(3, 4, 2, 1, 4)), Error, says(modes[3]));
  CHECK_THROWS_MATCHES(copy(t(3), t(4)), Error, says(modes[0]));
  CHECK_THROWS_MATCHES(copy(t(_3{}), t(4)), Error, says(modes[0]));
  CHECK_THROWS_MATCHES(copy(t(3, 4), t(11)), Error, says("source, destination or predicate differs in size"));
  CHECK_THROWS_MATCHES(copy_if(never, t(3), t(4)), Error, says(modes[0]));
  CHECK_THROWS_MATCHES(axpby(1, t(3, 4), 1, t(3, 5)), Error, says(modes[1]));
  // The predicate alone is wrong: too short, too long, transposed, of another size.
  CHECK_THROWS_MATCHES(copy_if(t(3), t(4), t(4)), Error, says(modes[0]));
  CHECK_THROWS_MATCHES(copy_if(t(3, 5), t(3, 4), t(3, 4)), Error, says(modes[1]));
  CHECK_THROWS_MATCHES(copy_if(t(4, 3), t(3, 4), t(_3{}, _4{})), Error, says(modes[0]));
  CHECK_THROWS_MATCHES(copy_if(t(11, 1), t(3, 4), t(12)), Error,
                       says("source, destination or predicate differs in size"));
  CHECK_THROWS_MATCHES(axpby(1, t(3, 4), 1, t(3, 4), t(3, 5)), Error, says(modes[1]));
  CHECK_THROWS_MATCHES(copy_if(VectorAccess<Step<_0>, 0, 2>{}, t(5), t(_4{}), t(_4{})), Error, says(modes[0]));
  CHECK_NOTHROW(copy_if(t(3, 4), t(_3{}, 4), t(3, _4{})));
}

// ---- Vectors ----

namespace {

template <int VEC, int Mode, class Order>
void check_vectors() {
  auto const in = numbers(64, 1);
  std::vector<int> out(64, -1);
  std::vector<std::pair<int, int>> firsts;
  constexpr bool rows = Mode == 1;                              // stride 1 along the vector mode
  auto const layout = [] {
    if constexpr (rows) return Layout<Shape<_4, _16>, Stride<_16, _1>>{};
    else return Layout<Shape<_16, _4>, Stride<_1, _16>>{};
  }();
  copy_if(VectorAccess<Order, Mode, VEC>{}, [&](auto const& c) {
    firsts.emplace_back(int(get<0>(c)), int(get<1>(c)));
    return (int(get<0>(c)) + int(get<1>(c)) / VEC) % 2 == 0;
  }, make_tensor(in.data(), layout), make_tensor(out.data(), layout));

  CHECK(firsts.size() == 64 / VEC);                             // one predicate for each vector, at its first element
  for (int m = 0; m < int(size<0>(layout)); ++m) {
    for (int n = 0; n < int(size<1>(layout)); ++n) {
      int const first_m = rows ? m : m / VEC * VEC, first_n = rows ? n / VEC * VEC : n;
      bool const wanted = (first_m + first_n / VEC) % 2 == 0;
      CHECK(out[std::size_t(layout(m, n))] == (wanted ? in[std::size_t(layout(m, n))] : -1));
    }
  }
  constexpr int outer = decltype(get<0>(Order{}))::value;       // the mode named first changes last
  for (std::size_t i = 1; i < firsts.size(); ++i) {
    auto const key = [](std::pair<int, int> const& c) { return outer == 0 ? c : std::pair(c.second, c.first); };
    CHECK(key(firsts[i - 1]) < key(firsts[i]));
  }
}

}  // namespace

TEST_CASE("a vector copy takes one predicate per vector and walks in the order asked for", "[algorithm][copy]") {
  check_vectors<4, 1, Step<_0, _1>>();
  check_vectors<4, 1, Step<_1, _0>>();
  check_vectors<2, 0, Step<_0, _1>>();
  check_vectors<8, 0, Step<_1, _0>>();
  check_vectors<16, 1, Step<_0, _1>>();
  check_vectors<1, 1, Step<_0, _1>>();
}

TEST_CASE("a vector copy of three modes walks the first of its order outermost, the last innermost",
          "[algorithm][copy]") {
  auto const in = numbers(24, 1);
  std::vector<int> out(24, -1);
  std::vector<std::tuple<int, int, int>> firsts, want;
  Layout<Shape<_2, _3, _4>, Stride<_12, _4, _1>> const layout{};
  auto const record = [&](auto const& c) {
    firsts.emplace_back(int(get<0>(c)), int(get<1>(c)), int(get<2>(c)));
    return true;
  };
  copy_if(VectorAccess<Step<_1, _2, _0>, 2, 2>{}, record, make_tensor(in.data(), layout),
          make_tensor(out.data(), layout));
  for (int j = 0; j < 3; ++j) {
    for (int k = 0; k < 4; k += 2) {
      for (int i = 0; i < 2; ++i) want.emplace_back(i, j, k);
    }
  }
  CHECK(firsts == want);
  CHECK(out == in);
}

TEST_CASE("a vector copy gives what the scalar copy gives", "[algorithm][copy]") {
  auto const in = numbers(48);
  auto const t = make_tensor(in.data(), Layout<Shape<_3, _16>, Stride<_16, _1>>{});
  auto r = make_register_tensor<int>(Layout<Shape<_3, _16>, Stride<_16, _1>>{});
  copy(VectorAccess<Step<_0, _1>, 1, 4>{}, t, r);
  std::vector<int> out(48);
  copy(VectorAccess<Step<_1, _0>, 1, 8>{}, r, make_tensor(out.data(), Layout<Shape<_3, _16>, Stride<_16, _1>>{}));
  CHECK(out == in);
}

TEST_CASE("a vector copy takes run-time extents in the modes it does not vectorise", "[algorithm][copy]") {
  auto const in = numbers(48);
  std::vector<int> out(48);
  auto const layout = make_layout(make_shape(3, _16{}), make_stride(16, _1{}));
  copy(VectorAccess<Step<_0, _1>, 1, 4>{}, make_tensor(in.data(), layout), make_tensor(out.data(), layout));
  CHECK(out == in);
}
