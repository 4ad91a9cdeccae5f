#pragma once
// Cases printed by CuTe: tests/support/golden/{static,dynamic}/OP.inc. The consumer of a file checks the base offset,
// the layout and all offsets of each case.

#include "counting.hpp"  // counting, Offsets

#include <catch2/catch_test_macros.hpp>  // CHECK

#include <cstdint>  // std::uint64_t

#define GOLDEN_I(n) Int<(n)>{}
#define GOLDEN_D(n) int(n)
#define GOLDEN_U Underscore{}
#define GOLDEN_T(...) make_tuple(__VA_ARGS__)
#define GOLDEN_L(shape, stride) make_layout(shape, stride)

namespace tensor_test {

/// FNV-1a over 64-bit little-endian values.
class Hash {
 public:
  void add(std::int64_t value) {
    for (int byte = 0; byte < 8; ++byte)
      state_ = (state_ ^ ((std::uint64_t(value) >> (8 * byte)) & 0xff)) * 0x100000001b3ULL;
  }
  [[nodiscard]] std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0xcbf29ce484222325ULL;
};

constexpr std::int64_t golden_longest = 4096;

template <class T>
void add_offsets(Hash& hash, T const& tile) {
  for (std::int64_t i = 0; i < std::int64_t(size(tile)) && i < golden_longest; ++i) hash.add(tile(i));
}

/// Form: where everything is static, the very type. Function: the same offsets in the same order.
template <bool Static, class T, class Out>
void check_tile(int id, T const& tile, Out const& out, std::int64_t offset, std::int64_t count, std::uint64_t hash) {
  INFO("case " << id << ": " << to_string(tile.layout()) << " at " << tile.data().base << ", CuTe says "
               << to_string(out) << " at " << offset);
  if constexpr (Static) CHECK(std::is_same_v<typename T::layout_type, Out>);
  CHECK(tile.data().base == offset);
  CHECK(size(tile) == count);
  Hash got;
  add_offsets(got, tile);
  CHECK(got.value() == hash);
}

/// The same for every thread of a partition.
template <bool Static, class Data, class Threads, class Out>
void check_partition(int id, Data const& data, Threads const& threads, Out const& out, int thread_count,
                     std::int64_t count, std::uint64_t hash_of_bases, std::uint64_t hash_of_all) {
  Hash bases, all;
  for (int t = 0; t < thread_count; ++t) {
    auto const part = local_partition(counting(data), threads, t);
    INFO("case " << id << ": " << to_string(part.layout()) << ", CuTe says " << to_string(out));
    if constexpr (Static) CHECK(std::is_same_v<typename decltype(part)::layout_type, Out>);
    CHECK(size(part) == count);
    bases.add(part.data().base);
    for (std::int64_t i = 0; i < std::int64_t(size(part)); ++i) all.add(part(i));
  }
  INFO("case " << id);
  CHECK(bases.value() == hash_of_bases);
  CHECK(all.value() == hash_of_all);
}

}  // namespace tensor_test

#define GOLDEN_LOCAL_TILE(id, a, tile, coord, out, offset, n, h) \
  check_tile<golden_static>(id, local_tile(counting(a), tile, coord), out, offset, n, h);
#define GOLDEN_LOCAL_TILE_PROJ(id, a, tile, coord, proj, out, offset, n, h) \
  check_tile<golden_static>(id, local_tile(counting(a), tile, coord, proj), out, offset, n, h);
#define GOLDEN_LOCAL_PARTITION(id, a, threads, out, n_index, n, h_bases, h_all) \
  check_partition<golden_static>(id, a, threads, out, n_index, n, h_bases, h_all);
