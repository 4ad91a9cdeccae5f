// The five forms of gemm against a plain triple loop, in several types, orders and memories.

#include <tilestep/algorithm.hpp>  // gemm

#include <tilestep/backend/error.hpp>  // Error

#include <catch2/catch_template_test_macros.hpp>          // TEMPLATE_TEST_CASE
#include <catch2/catch_test_macros.hpp>                   // TEST_CASE
#include <catch2/matchers/catch_matchers_exception.hpp>   // CHECK_THROWS_MATCHES
#include <catch2/matchers/catch_matchers_string.hpp>      // ContainsSubstring

#include <cstdint>  // std::int8_t
#include <tuple>    // recorded steps
#include <vector>   // host memory

namespace {

using namespace tilestep;

/// Asymmetric small integers: no two neighbours alike, exact in every type here.
template <class T>
std::vector<T> numbers(std::int64_t count, int salt) {
  std::vector<T> values(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) values[std::size_t(i)] = T((i * 7 + salt * 5) % 11 - 4);
  return values;
}

/// (v,m,n) += a(v,m,k) b(v,n,k), said as plainly as possible.
template <class A, class B, class C>
void triple_loop(A const& a, B const& b, C&& c, int V, int M, int N, int K) {
  for (int v = 0; v < V; ++v) {
    for (int m = 0; m < M; ++m) {
      for (int n = 0; n < N; ++n) {
        for (int k = 0; k < K; ++k) c(v, m, n) += a(v, m, k) * b(v, n, k);
      }
    }
  }
}

template <class TA, class TC>
struct Types {
  using A = TA;
  using C = TC;
};

/// One problem in host memory: run `multiply` on the three tensors and compare with the triple loop.
template <class TA, class TC, class LA, class LB, class LC, class Multiply>
void check(LA const& la, LB const& lb, LC const& lc, int V, int M, int N, int K, Multiply const& multiply) {
  auto const a = numbers<TA>(cosize(la), 1), b = numbers<TA>(cosize(lb), 2);
  auto c = numbers<TC>(cosize(lc), 3);
  auto want = c;
  multiply(make_tensor(a.data(), la), make_tensor(b.data(), lb), make_tensor(c.data(), lc));
  auto const wide_a = std::vector<TC>(a.begin(), a.end()), wide_b = std::vector<TC>(b.begin(), b.end());
  auto const a3 = make_tensor(
      wide_a.data(),
      make_layout(make_shape(V, M, K),
                  make_stride(std::int64_t(stride<0>(la)), std::int64_t(stride<1>(la)), std::int64_t(stride<2>(la)))));
  auto const b3 = make_tensor(
      wide_b.data(),
      make_layout(make_shape(V, N, K),
                  make_stride(std::int64_t(stride<0>(lb)), std::int64_t(stride<1>(lb)), std::int64_t(stride<2>(lb)))));
  triple_loop(a3, b3, make_tensor(want.data(), lc), V, M, N, K);
  CHECK(c == want);
}

}  // namespace

#define EVERY_TYPE \
  (Types<float, float>), (Types<double, double>), (Types<std::int8_t, std::int32_t>), (Types<float, double>)

TEMPLATE_TEST_CASE("gemm (V)x(V)=>(V) multiplies element by element", "[algorithm][gemm]", EVERY_TYPE) {
  auto const vector = [](auto v) { return make_layout(make_shape(v, 1, 1)); };
  auto const multiply = [](auto const& a, auto const& b, auto c) { gemm(a(_, 0, 0), b(_, 0, 0), c(_, 0, 0)); };
  check<typename TestType::A, typename TestType::C>(vector(5), vector(5), vector(5), 5, 1, 1, 1, multiply);
  check<typename TestType::A, typename TestType::C>(vector(_4{}), vector(_4{}), vector(_4{}), 4, 1, 1, 1, multiply);
  check<typename TestType::A, typename TestType::C>(vector(0), vector(0), vector(0), 0, 1, 1, 1, multiply);
}

TEMPLATE_TEST_CASE("gemm (M)x(N)=>(M,N) is the outer product", "[algorithm][gemm]", EVERY_TYPE) {
  auto const multiply = [](auto const& a, auto const& b, auto c) { gemm(a(0, _, 0), b(0, _, 0), c(0, _, _)); };
  auto const run = [&](auto M, auto N) {
    check<typename TestType::A, typename TestType::C>(
        make_layout(make_shape(1, M, 1)), make_layout(make_shape(1, N, 1)),
        make_layout(make_shape(1, M, N), LayoutRight{}), 1, M, N, 1, multiply);
  };
  run(4, 7);
  run(_4{}, _3{});
  run(_5{}, 6);
  run(5, _6{});
  run(0, 3);
}

TEMPLATE_TEST_CASE("gemm (M,K)x(N,K)=>(M,N) is the product of matrices", "[algorithm][gemm]", EVERY_TYPE) {
  auto const multiply = [](auto const& a, auto const& b, auto c) { gemm(a(0, _, _), b(0, _, _), c(0, _, _)); };
  auto const run = [&](auto M, auto N, auto K) {
    check<typename TestType::A, typename TestType::C>(
        make_layout(make_shape(1, M, K), LayoutRight{}), make_layout(make_shape(1, N, K)),
        make_layout(make_shape(1, M, N), LayoutRight{}), 1, M, N, K, multiply);
  };
  run(5, 7, 11);
  run(_5{}, _3{}, _2{});
  run(_4{}, 3, _5{});
  run(3, _4{}, 5);
  run(3, 4, 0);
}

TEMPLATE_TEST_CASE("gemm (V,M)x(V,N)=>(V,M,N) is a batch of outer products", "[algorithm][gemm]", EVERY_TYPE) {
  auto const multiply = [](auto const& a, auto const& b, auto c) { gemm(a(_, _, 0), b(_, _, 0), c); };
  auto const run = [&](auto V, auto M, auto N) {
    check<typename TestType::A, typename TestType::C>(make_layout(make_shape(V, M, 1)),
                                                      make_layout(make_shape(V, N, 1), LayoutRight{}),
                                                      make_layout(make_shape(V, M, N)), V, M, N, 1, multiply);
  };
  run(2, 5, 7);
  run(_2{}, _3{}, _4{});
  run(_2{}, 3, _4{});
}

TEMPLATE_TEST_CASE("gemm (V,M,K)x(V,N,K)=>(V,M,N) is a batch of products", "[algorithm][gemm]", EVERY_TYPE) {
  auto const multiply = [](auto const& a, auto const& b, auto c) { gemm(a, b, c); };
  auto const run = [&](auto V, auto M, auto N, auto K) {
    check<typename TestType::A, typename TestType::C>(make_layout(make_shape(V, M, K)),
                                                      make_layout(make_shape(V, N, K), LayoutRight{}),
                                                      make_layout(make_shape(V, M, N)), V, M, N, K, multiply);
  };
  run(2, 5, 7, 3);
  run(_2{}, _3{}, _4{}, _2{});
  run(_2{}, _3{}, _4{}, 5);
  run(2, 3, 4, 0);
}

TEST_CASE("gemm works on registers in every form", "[algorithm][gemm]") {
  auto a = make_register_tensor<float>(Shape<_2, _3, _2>{});  // (V,M,K)
  auto b = make_register_tensor<float>(Shape<_2, _4, _2>{});  // (V,N,K)
  auto c = make_register_tensor<float>(Shape<_2, _3, _4>{});  // (V,M,N)
  static_for<12>([&](auto i) { a(i) = float(i * 5 % 7 - 2); });
  static_for<16>([&](auto i) { b(i) = float(i * 3 % 11 - 4); });
  auto const element = [&](auto v, auto m, auto n, auto k) { return a(v, m, k) * b(v, n, k); };
  clear(c);
  gemm(a, b, c);
  gemm(a(_, _, _0{}), b(_, _, _0{}), c);
  static_for<2>([&](auto v) {
    static_for<3>([&](auto m) {
      static_for<4>([&](auto n) { CHECK(c(v, m, n) == 2 * element(v, m, n, _0{}) + element(v, m, n, _1{})); });
    });
  });
  clear(c);
  gemm(a(_0{}, _, _), b(_0{}, _, _), c(_1{}, _, _));
  gemm(a(_0{}, _, _1{}), b(_0{}, _, _1{}), c(_1{}, _, _));
  CHECK(c(_1{}, _2{}, _3{}) == element(_0{}, _2{}, _3{}, _0{}) + 2 * element(_0{}, _2{}, _3{}, _1{}));
  CHECK(c(_0{}, _2{}, _3{}) == 0);
  gemm(a(_, _1{}, _0{}), b(_, _1{}, _0{}), c(_, _0{}, _0{}));
  CHECK(c(_0{}, _0{}, _0{}) == element(_0{}, _1{}, _1{}, _0{}));
}

TEST_CASE("gemm accumulates", "[algorithm][gemm]") {
  std::vector<float> const a{2, 3}, b{5, 7};
  std::vector<float> c{100, 200, 300, 400};
  auto C = make_tensor(c.data(), make_shape(2, 2), LayoutRight{});
  gemm(make_tensor(a.data(), make_shape(2)), make_tensor(b.data(), make_shape(2)), C);
  gemm(make_tensor(a.data(), make_shape(2)), make_tensor(b.data(), make_shape(2)), C);
  CHECK(c == std::vector<float>{120, 228, 330, 442});
}

TEST_CASE("gemm reads any strides: transposed, with leading dimensions, backwards, repeated", "[algorithm][gemm]") {
  auto const multiply = [](auto const& a, auto const& b, auto c) { gemm(a, b, c); };
  int const M = 3, N = 4, K = 5;
  check<float, float>(make_layout(make_shape(1, M, K), make_stride(0, 1, 8)),
                      make_layout(make_shape(1, N, K), make_stride(0, 9, 2)),
                      make_layout(make_shape(1, M, N), make_stride(0, 3, 17)), 1, M, N, K, multiply);
  check<float, float>(make_layout(make_shape(1, M, K), make_stride(0, 0, 1)),
                      make_layout(make_shape(1, N, K), make_stride(0, 1, 0)), make_layout(make_shape(1, M, N)), 1, M, N,
                      K, multiply);
}

TEST_CASE("a batch is a mode of the layout: each slice is a problem of its own", "[algorithm][gemm]") {
  int const L = 3, M = 4, N = 5, K = 6;
  auto const a = numbers<float>(L * M * K, 1), b = numbers<float>(L * N * K, 2);
  std::vector<float> c(std::size_t(L * M * N)), want(c.size());
  auto const A = make_tensor(a.data(), make_shape(L, M, K), LayoutRight{});                     // (L,M,K): batch leads
  auto const B = make_tensor(b.data(), make_shape(L, N, K), make_stride(N * K, 1, N));          // (L,N,K), stored K x N
  auto const C = make_tensor(c.data(), make_shape(L, M, N), LayoutRight{});                     // (L,M,N)
  for (int l = 0; l < L; ++l) gemm(A(l, _, _), B(l, _, _), C(l, _, _));
  triple_loop(A, B, make_tensor(want.data(), C.layout()), L, M, N, K);
  CHECK(c == want);
  std::vector<float> again(c.size());
  gemm(A, B, make_tensor(again.data(), C.layout()));  // the batch as V, in one call
  CHECK(again == want);
}

TEST_CASE("contraction (m,k),(n,k)->(m,n) is gemm on two matrices", "[algorithm][gemm]") {
  std::vector<int> const a{1, 2, 3, 4, 5, 6}, b{1, 0, -1, 2, 2, 2};
  std::vector<int> c(4, 0);
  gemm(make_tensor(a.data(), make_shape(2, 3), LayoutRight{}), make_tensor(b.data(), make_shape(2, 3), LayoutRight{}),
       make_tensor(c.data(), make_shape(2, 2), LayoutRight{}));
  CHECK(c == std::vector<int>{-2, 12, -2, 30});
}

// ---- Dispatch ----

namespace {

/// One call of the recording atom: how many elements it was given, and the first of A, of B and of C.
using Step4 = std::tuple<int, int, int, int>;
std::vector<Step4> steps;

struct Recorder {};

}  // namespace

namespace tilestep {
template <>
struct MmaTraits<Recorder> {
  using ValA = int;
  using ValB = int;
  using ValC = int;
  using Shape_MNK = Shape<_1, _1, _1>;
  template <class A, class B, class C> static void call(A const& a, B const& b, C const& c) {
    static_assert(A::rank == 1 && B::rank == 1 && C::rank == 1);
    steps.emplace_back(int(size(a)), int(a(_0{})), int(b(_0{})), int(c(_0{})));
  }
};
}  // namespace tilestep

namespace {

/// In which order the forms call the atom: every k, of it every m, of it every n, backwards in odd rows. Elements are
/// numbered in memory, V fastest, then M or N, so that each says which it is.
std::vector<Step4> in_order(int V, int M, int N, int K) {
  std::vector<Step4> calls;
  for (int k = 0; k < K; ++k) {
    for (int m = 0; m < M; ++m) {
      for (int i = 0; i < N; ++i) {
        int const n = m % 2 == 0 ? i : N - 1 - i;
        calls.emplace_back(V, V * (m + M * k), V * (n + N * k), V * (m + M * n));
      }
    }
  }
  return calls;
}

/// Numbers 0, 1, .. in the order of memory, in these modes.
template <class... Extents> auto numbered(Extents... extents) {
  static std::vector<int> const memory = [] {
    std::vector<int> values(1000);
    for (int i = 0; i < 1000; ++i) values[std::size_t(i)] = i;
    return values;
  }();
  return make_tensor(memory.data(), make_shape(extents...));
}

/// The calls that gemm makes.
template <class A, class B, class C> std::vector<Step4> recorded(A const& a, B const& b, C const& c) {
  steps.clear();
  gemm(MmaAtom<Recorder>{}, a, b, c);
  return steps;
}

}  // namespace

TEST_CASE("the five forms call the atom for each k, of it each m, of it each n in serpentine order",
          "[algorithm][gemm]") {
  // (V)(V)=>(V): the atom itself.
  CHECK(recorded(numbered(5), numbered(5), numbered(5)) == std::vector<Step4>{{5, 0, 0, 0}});
  // (V,M)(V,N)=>(V,M,N): the first for each m and n.
  CHECK(recorded(numbered(2, 3), numbered(2, 4), numbered(2, 3, 4)) == in_order(2, 3, 4, 1));
  CHECK(recorded(numbered(_2{}, _3{}), numbered(_2{}, _4{}), numbered(_2{}, _3{}, _4{})) == in_order(2, 3, 4, 1));
  // (M)(N)=>(M,N): the second with V = 1.
  CHECK(recorded(numbered(3), numbered(4), numbered(3, 4)) == in_order(1, 3, 4, 1));
  CHECK(recorded(numbered(_3{}), numbered(_4{}), numbered(_3{}, _4{})) == in_order(1, 3, 4, 1));
  // (M,K)(N,K)=>(M,N): the third for each k.
  CHECK(recorded(numbered(3, 5), numbered(4, 5), numbered(3, 4)) == in_order(1, 3, 4, 5));
  CHECK(recorded(numbered(_3{}, _5{}), numbered(_4{}, _5{}), numbered(_3{}, _4{})) == in_order(1, 3, 4, 5));
  // (V,M,K)(V,N,K)=>(V,M,N): the second for each k.
  CHECK(recorded(numbered(2, 3, 5), numbered(2, 4, 5), numbered(2, 3, 4)) == in_order(2, 3, 4, 5));
  CHECK(recorded(numbered(_2{}, _3{}, _5{}), numbered(_2{}, _4{}, _5{}), numbered(_2{}, _3{}, _4{})) ==
        in_order(2, 3, 4, 5));
}

TEST_CASE("the instructions of a whole tile run in the order of the five forms", "[algorithm][gemm]") {
  std::vector<Step4> calls;
  for (int step = 0; step < 3 * 4 * 5; ++step) {
    detail::TileStep<3, 4> const at(step);
    calls.emplace_back(1, at.m + 3 * at.k, at.n + 4 * at.k, at.m + 3 * at.n);
  }
  CHECK(calls == in_order(1, 3, 4, 5));
}

TEST_CASE("an atom overrides the FMA in registers too, and takes several values", "[algorithm][gemm]") {
  auto a = make_register_tensor<int>(Shape<_2, _3>{});  // (V,M)
  auto b = make_register_tensor<int>(Shape<_2, _2>{});  // (V,N)
  auto c = make_register_tensor<int>(Shape<_2, _3, _2>{});  // (V,M,N)
  static_for<6>([&](auto i) { a(i) = i; });
  static_for<4>([&](auto i) { b(i) = i; });
  static_for<12>([&](auto i) { c(i) = i; });
  CHECK(recorded(a, b, c) == in_order(2, 3, 2, 1));
  CHECK(c(Int<11>{}) == 11);  // no FMA has touched it
}

TEST_CASE("operands in device memory are read into registers once, others stay where they are", "[algorithm][gemm]") {
  using Static = Layout<Shape<_1, _4>>;
  auto const of = [](auto const& tensor) { return detail::reusable(tensor); };
  auto const global_memory = [](auto const& layout) { return make_view(GlobalPtr<float>{}, layout); };
  auto const shared_memory = [](auto const& layout) { return make_view(SharedPtr<float>{}, layout); };
  auto registers = make_register_tensor<float>(Static{});
  float host[4] = {};
  static_assert(std::is_same_v<memory_t<decltype(of(global_memory(Static{})))>, RegisterMemory>);
  static_assert(std::is_same_v<memory_t<decltype(of(shared_memory(Static{})))>, RegisterMemory>);
  static_assert(std::is_same_v<memory_t<decltype(of(global_memory(make_layout(make_shape(1, 4)))))>, GlobalMemory>);
  static_assert(std::is_same_v<memory_t<decltype(of(shared_memory(make_layout(make_shape(_1{}, 4)))))>, SharedMemory>);
  CHECK(of(registers).data().get() == registers.data().get());
  CHECK(of(make_tensor(host, Static{})).data() == host);
}

TEST_CASE("gemm rounds once where numbers are floating point", "[algorithm][gemm]") {
  float const a[1] = {1 + 0x1p-12f};  // its square is 1 + 2^-11 + 2^-24, which f32 rounds to 1 + 2^-11
  float c[1] = {-1};
  gemm(make_tensor(a, make_shape(1)), make_tensor(a, make_shape(1)), make_tensor(c, make_shape(1)));
  CHECK(c[0] == 0x1p-11f + 0x1p-24f);
}

TEST_CASE("each operand is read in its own type", "[algorithm][gemm]") {
  std::int8_t const whole[1] = {2};
  float const part[1] = {1.5f};
  float c[1] = {0};
  gemm(make_tensor(whole, make_shape(1)), make_tensor(part, make_shape(1)), make_tensor(c, make_shape(1)));
  CHECK(c[0] == 3);
  gemm(make_tensor(part, make_shape(1)), make_tensor(whole, make_shape(1)), make_tensor(c, make_shape(1)));
  CHECK(c[0] == 6);
}

TEST_CASE("the accumulator's type chooses the FMA", "[algorithm][gemm]") {
  float const a[1] = {1 + 0x1p-23f};
  double c[1] = {0};
  gemm(make_tensor(a, make_shape(1)), make_tensor(a, make_shape(1)), make_tensor(c, make_shape(1)));
  CHECK(c[0] == double(a[0]) * double(a[0]));
}

// ---- Errors that only run-time extents can make ----

TEST_CASE("extents that do not fit are an error that names the mode", "[algorithm][gemm]") {
  std::vector<float> memory(1000);
  auto const t = [&](auto const&... s) { return make_tensor(memory.data(), make_shape(s...)); };
  auto const says = [](char const* text) {
    return Catch::Matchers::MessageMatches(Catch::Matchers::ContainsSubstring(text));
  };
  CHECK_THROWS_MATCHES(gemm(t(3, 4), t(5, 6), t(3, 5)), Error, says("mode K of A and B"));
  CHECK_THROWS_MATCHES(gemm(t(3, 4), t(5, 4), t(2, 5)), Error, says("mode M of A and C"));
  CHECK_THROWS_MATCHES(gemm(t(3, 4), t(5, 4), t(3, 6)), Error, says("mode N of B and C"));
  CHECK_THROWS_MATCHES(gemm(t(3), t(5), t(3, 6)), Error, says("mode N of B and C"));
  CHECK_THROWS_MATCHES(gemm(t(3), t(3), t(4)), Error, says("mode V of A, B and C"));
  CHECK_THROWS_MATCHES(gemm(t(4), t(3), t(3)), Error, says("mode V of A, B and C"));
  CHECK_THROWS_MATCHES(gemm(t(3), t(4), t(3)), Error, says("mode V of A, B and C"));
  CHECK_THROWS_MATCHES(gemm(t(2, 3), t(2, 5), t(4, 3, 5)), Error, says("mode V of A, B and C"));
  CHECK_THROWS_MATCHES(gemm(t(2, 3, 4), t(2, 5, 6), t(2, 3, 5)), Error, says("mode K of A and B"));
  CHECK_NOTHROW(gemm(t(2, 3, 4), t(2, 5, 4), t(2, 3, 5)));
  // The type of one tensor knows the extent, that of the other does not.
  CHECK_THROWS_MATCHES(gemm(t(3, _4{}), t(5, 6), t(3, 5)), Error, says("mode K of A and B"));
  CHECK_THROWS_MATCHES(gemm(t(_3{}, 4), t(5, 4), t(2, 5)), Error, says("mode M of A and C"));
  CHECK_THROWS_MATCHES(gemm(t(3, 4), t(5, 4), t(3, _6{})), Error, says("mode N of B and C"));
  CHECK_NOTHROW(gemm(t(_3{}, 4), t(5, _4{}), t(3, _5{})));
}
