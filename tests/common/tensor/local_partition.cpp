// The two ways to share a tensor among threads: each element belongs to exactly one thread.

#include "counting.hpp"  // counting, elements

#include <catch2/catch_test_macros.hpp>  // TEST_CASE
#include <rapidcheck.h>                  // random extents

using namespace tensor_test;

namespace {

/// What all threads together own of an M x N tensor; elements past the end are left out, as a predicate would.
template <class Threads, class Share>
std::vector<std::int64_t> owned(int M, int N, Threads const& threads, Share const& share) {
  auto const t = counting(make_layout(make_shape(M, N), make_stride(N, 1)));
  auto const c = make_identity_tensor(shape(t));
  std::vector<std::int64_t> all;
  for (int index = 0; index < size(threads); ++index) {
    auto const part = share(t, threads, index);
    auto const cpart = share(c, threads, index);
    for (int i = 0; i < size(part); ++i) {
      if (elem_less(cpart(i), shape(t))) all.push_back(part(i));
    }
  }
  return sorted(all);
}

constexpr auto strided = [](auto const& t, auto const& threads, int index) {
  return local_partition(t, threads, index);
};
constexpr auto packed = [](auto const& t, auto const& threads, int index) {
  return packed_partition(t, threads, index);
};

template <class Threads>
void check_complete(int M, int N, Threads const& threads) {
  INFO(M << " x " << N << " among " << to_string(threads));
  auto const all = sorted(elements(counting(make_layout(make_shape(M, N)))));
  CHECK(owned(M, N, threads, strided) == all);
  CHECK(owned(M, N, threads, packed) == all);
}

}  // namespace

TEST_CASE("a strided partition gives neighbouring threads neighbouring elements", "[tensor]") {
  auto const t = counting(make_layout(_12{}));
  auto const threads = make_layout(make_shape(_4{}));
  CHECK(elements(local_partition(t, threads, 0)) == std::vector<std::int64_t>{0, 4, 8});
  CHECK(elements(local_partition(t, threads, 3)) == std::vector<std::int64_t>{3, 7, 11});
}

TEST_CASE("a packed partition gives each thread one run", "[tensor]") {
  auto const t = counting(make_layout(_12{}));
  auto const threads = make_layout(make_shape(_4{}));
  CHECK(elements(packed_partition(t, threads, 0)) == std::vector<std::int64_t>{0, 1, 2});
  CHECK(elements(packed_partition(t, threads, 3)) == std::vector<std::int64_t>{9, 10, 11});
}

TEST_CASE("the thread layout says which thread sits at which coordinate", "[tensor]") {
  auto const t = counting(make_layout(make_shape(_4{}, _6{}), LayoutRight{}));              // (4,6)
  auto const by_rows = make_layout(make_shape(_2{}, _3{}), LayoutRight{});
  auto const by_columns = make_layout(make_shape(_2{}, _3{}));
  CHECK(elements(local_partition(t, by_rows, 1)) == elements(local_partition(t, by_columns, 2)));
  CHECK(local_partition(t, by_rows, 1)(0, 0) == t(0, 1));
  CHECK(packed_partition(t, by_rows, 1)(0, 0) == t(0, 2));
  CHECK(shape(packed_partition(t, by_rows, 1)) == make_shape(2, 2));
}

TEST_CASE("threads in modes of modes sit where their layout says", "[tensor]") {
  auto const t = counting(make_layout(make_shape(_4{}, _6{}), LayoutRight{}));              // (4,6)
  auto const threads = Layout<Shape<Shape<_2, _2>, _2>, Stride<Stride<_1, _4>, _2>>{};      // ((2,2),2) -> thread
  for (int index = 0; index < 8; ++index) {
    int const m = index % 2 + index / 4 * 2, n = index / 2 % 2;
    CHECK(local_partition(t, threads, index)(0, 1) == t(m, n + 2));
    CHECK(packed_partition(t, threads, index)(0, 1) == t(m, 3 * n + 1));
  }
}

TEST_CASE("a partition with a projection repeats for the threads of the mode it lacks", "[tensor]") {
  auto const A = counting(make_layout(make_shape(8, 5)));                                   // (M,K)
  auto const threads = make_layout(make_shape(_2{}, _3{}), LayoutRight{});
  for (int index = 0; index < 6; ++index) {
    auto const part = local_partition(A, threads, index, Step<_1, X>{});                    // (m,K)
    CHECK(shape(part) == make_shape(4, 5));
    CHECK(part(1, 2) == A(2 + index / 3, 2));
  }
  auto const B = counting(make_layout(make_shape(9, 5)));                                   // (N,K)
  CHECK(local_partition(B, threads, 4, Step<X, _1>{})(1, 2) == B(3 + 1, 2));
}

TEST_CASE("partitions are disjoint and complete: exact, ragged, fewer elements than threads", "[tensor]") {
  auto const by_rows = make_layout(make_shape(_4{}, _8{}), LayoutRight{});
  auto const by_columns = make_layout(make_shape(_8{}, _4{}));
  for (int M : {1, 3, 4, 5, 8, 13}) {
    for (int N : {1, 2, 7, 8, 9, 16}) {
      check_complete(M, N, by_rows);
      check_complete(M, N, by_columns);
    }
  }
}

TEST_CASE("partitions of an empty tensor are empty", "[tensor]") {
  auto const threads = make_layout(make_shape(_4{}, _8{}), LayoutRight{});
  CHECK(owned(0, 5, threads, strided).empty());
  CHECK(owned(5, 0, threads, strided).empty());
  CHECK(owned(0, 5, threads, packed).empty());
  CHECK(owned(5, 0, threads, packed).empty());
}

TEST_CASE("partitions of any extents among any threads are disjoint and complete", "[tensor][property]") {
  bool const holds = rc::check([] {
    int const M = *rc::gen::inRange(1, 30), N = *rc::gen::inRange(1, 30);
    int const tm = *rc::gen::inRange(1, 6), tn = *rc::gen::inRange(1, 6);
    bool const rows = *rc::gen::arbitrary<bool>();
    auto const threads = make_layout(make_shape(tm, tn), rows ? make_stride(tn, 1) : make_stride(1, tm));
    auto const all = sorted(elements(counting(make_layout(make_shape(M, N)))));
    RC_ASSERT(owned(M, N, threads, strided) == all);
    RC_ASSERT(owned(M, N, threads, packed) == all);
  });
  CHECK(holds);
}
