// Strides below zero: a matrix read from its last row up, or from its last column back, is a layout and nothing else.
// Tiles, partitions, copies and products take it; strides_kernels.cpp has the same on a GPU.

#include <tilestep/algorithm.hpp>  // copy, gemm

#include <catch2/catch_test_macros.hpp>  // CHECK

#include <cstdint>  // std::int64_t
#include <map>      // memory of a few elements
#include <numeric>  // std::iota
#include <vector>   // matrices

using namespace tilestep;

namespace {

std::vector<int> numbers(int count) {
  std::vector<int> values(static_cast<std::size_t>(count));
  std::iota(values.begin(), values.end(), 0);
  return values;
}

/// A view of a 6 x 8 matrix stored by rows, upside down and from right to left where asked for.
template <class T> auto turned(T* data, bool up, bool back) {
  return make_tensor(data + (up ? 40 : 0) + (back ? 7 : 0), make_shape(6, 8), make_stride(up ? -8 : 8, back ? -1 : 1));
}
int element(int m, int n, bool up, bool back) { return 8 * (up ? 5 - m : m) + (back ? 7 - n : n); }

}  // namespace

TEST_CASE("a layout takes strides below zero, known at compile time or not", "[layout]") {
  constexpr auto known = Layout<Shape<_4, Shape<_2, _3>>, Stride<Int<-1>, Stride<_4, Int<-8>>>>{};
  auto const at_run_time = make_layout(make_shape(4, make_shape(2, 3)), make_stride(-1, make_stride(4, -8)));
  for (int i = 0; i < 24; ++i) {
    int const m = i % 4, n0 = i / 4 % 2, n1 = i / 8;
    CHECK(int(known(i)) == -m + 4 * n0 - 8 * n1);
    CHECK(int(at_run_time(i)) == -m + 4 * n0 - 8 * n1);
    CHECK(int(known(m, make_coord(n0, n1))) == int(at_run_time(m, n0 + 2 * n1)));
  }
  STATIC_CHECK(known(3, make_coord(1, 2)) == -15);
}

TEST_CASE("tiles, partitions and slices of a matrix turned around are turned around", "[tensor]") {
  auto memory = numbers(48);
  for (int const turn : {0, 1, 2, 3}) {
    bool const up = turn & 1, back = turn & 2;
    auto const t = turned(memory.data(), up, back);                                      // (6,8)
    auto const tiles = local_tile(t, Tile<_3, _4>{}, make_coord(1, _));                  // (3,4,2)
    auto const column = t(_, 5);                                                         // (6)
    int seen = 0;
    for (int thread = 0; thread < 6; ++thread) {
      auto const part = local_partition(t, Layout<Shape<_3, _2>, Stride<_2, _1>>{}, thread);  // (2,4)
      for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < 4; ++j) seen += part(i, j) == element(thread / 2 + 3 * i, thread % 2 + 2 * j, up, back);
      }
    }
    CHECK(seen == 48);
    for (int m = 0; m < 6; ++m) {
      CHECK(column(m) == element(m, 5, up, back));
      for (int n = 0; n < 8; ++n) {
        CHECK(t(m, n) == element(m, n, up, back));
        if (m < 3) CHECK(tiles(m, n % 4, n / 4) == element(3 + m, n, up, back));
      }
    }
  }
}

TEST_CASE("copy turns a matrix around, and copy_if what the predicate wants of it", "[algorithm][copy]") {
  auto memory = numbers(48);
  std::vector<int> out(48, -1), some(48, -1);
  auto const plain = [](std::vector<int>& values) {
    return make_tensor(values.data(), make_shape(6, 8), LayoutRight{});
  };
  copy(turned(memory.data(), true, true), plain(out));
  copy_if([](auto const& c) { return get<0>(c) % 2 == 0; }, turned(memory.data(), true, false),
          turned(some.data(), false, true));
  for (int m = 0; m < 6; ++m) {
    for (int n = 0; n < 8; ++n) {
      CHECK(out[std::size_t(8 * m + n)] == 47 - (8 * m + n));
      CHECK(some[std::size_t(element(m, n, false, true))] == (m % 2 == 0 ? element(m, n, true, false) : -1));
    }
  }
}

TEST_CASE("gemm multiplies matrices that are read upside down and backwards, batch by batch", "[algorithm][gemm]") {
  int const L = 2, M = 3, N = 4, K = 5;
  std::vector<int> a(L * M * K), b(L * N * K), c(L * M * N, 100);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = int(i * 7 % 11) - 4;
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = int(i * 5 % 13) - 6;
  // Batches, and rows of A, from the last to the first; B's K backwards; C's rows from the last to the first.
  auto const A = make_tensor(a.data() + (L * M * K - K), make_shape(L, M, K), make_stride(-M * K, -K, 1));  // (L,M,K)
  auto const B = make_tensor(b.data() + (K - 1), make_shape(L, N, K), make_stride(N * K, K, -1));  // (L,N,K)
  auto const C = make_tensor(c.data() + (M - 1) * N, make_shape(L, M, N), make_stride(M * N, -N, 1));  // (L,M,N)
  for (int l = 0; l < L; ++l) gemm(A(l, _, _), B(l, _, _), C(l, _, _));
  for (int l = 0; l < L; ++l) {
    for (int m = 0; m < M; ++m) {
      for (int n = 0; n < N; ++n) {
        int want = 100;
        for (int k = 0; k < K; ++k)
          want += a[std::size_t(((L - 1 - l) * M + M - 1 - m) * K + k)] * b[std::size_t((l * N + n) * K + K - 1 - k)];
        CHECK(c[std::size_t((l * M + M - 1 - m) * N + n)] == want);
      }
    }
  }
}

// ---- Strides that need more than 32 bits ----

namespace {

/// Memory in which only those elements exist that somebody touches.
struct Sparse {
  using value_type = int;
  std::map<std::int64_t, int>* memory;
  std::int64_t base = 0;
  Sparse operator+(std::int64_t i) const { return {memory, base + i}; }
  int& operator[](std::int64_t i) const { return (*memory)[base + i]; }
};

}  // namespace

TEST_CASE("copy and gemm take strides of more than 32 bits", "[algorithm][copy][gemm]") {
  std::int64_t const far = std::int64_t{1} << 33;
  std::map<std::int64_t, int> in, out, product;
  auto const from = make_layout(make_shape(2, 3), make_stride(far, -128 * far));
  auto const to = make_layout(make_shape(2, 3), make_stride(4 * far, std::int64_t{1}));
  for (int m = 0; m < 2; ++m) {
    for (int n = 0; n < 3; ++n) in[from(m, n)] = 10 * m + n;
  }
  auto const src = make_tensor(Sparse{&in}, from);  // (2,3)
  copy(src, make_tensor(Sparse{&out}, to));
  CHECK(in.size() == 6);
  CHECK(out.size() == 6);
  for (int m = 0; m < 2; ++m) {
    for (int n = 0; n < 3; ++n) CHECK(out[to(m, n)] == 10 * m + n);
  }
  gemm(src, src, make_tensor(Sparse{&product}, make_shape(2, 2), make_stride(far, 2 * far)));
  CHECK(product == std::map<std::int64_t, int>{{0, 5}, {far, 35}, {2 * far, 35}, {3 * far, 365}});
}
