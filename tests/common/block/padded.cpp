// Padded tensors: zeros past the end of the matrix, writes there dropped, through tiles, partitions and every memory.

#include <tilestep/backend/launch.hpp>   // launch
#include <tilestep/backend/runtime.hpp>  // DeviceBuffer, take_reports, set_run_options
#include <tilestep/block/copy.hpp>       // copy by atoms
#include <tilestep/block/padded.hpp>     // pad of a tensor

#include <catch2/catch_test_macros.hpp>  // CHECK

#include <numeric>  // std::iota
#include <vector>   // matrices

using namespace tilestep;

namespace {

std::vector<int> numbers(int count) {
  std::vector<int> values(static_cast<std::size_t>(count));
  std::iota(values.begin(), values.end(), 1);
  return values;
}

/// Both ways: every element of the padded tensor, and nothing else of memory.
template <class L, class Tile> void check_elements(L const& layout, Tile const& tile) {
  int const count = int(cosize(layout));
  auto memory = numbers(count);
  auto const before = memory;
  auto const raw = make_tensor(memory.data(), layout);
  auto const padded = pad(raw, tile);
  CHECK(padded.shape() == pad(layout, tile).shape());
  std::vector<bool> real(memory.size());
  for (int i = 0; i < int(size<0>(padded.layout())); ++i) {
    for (int j = 0; j < int(size<1>(padded.layout())); ++j) {
      bool const exists = i < int(size<0>(layout)) && j < int(size<1>(layout));
      int const want = exists ? before[std::size_t(layout(i, j))] : 0;
      CHECK(int(padded(i, j)) == want);
      if (exists) real[std::size_t(layout(i, j))] = true;
      padded(i, j) = -want - 1;
    }
  }
  for (std::size_t i = 0; i < memory.size(); ++i) CHECK(memory[i] == (real[i] ? -before[i] - 1 : before[i]));
}

}  // namespace

TEST_CASE("a padded tensor reads zeros past the end of the matrix, and drops what is written there", "[block][pad]") {
  check_elements(make_layout(make_shape(5, 7), LayoutRight{}), make_tile(_4{}, _4{}));
  check_elements(make_layout(make_shape(5, 7)), make_tile(4, 4));
  check_elements(make_layout(make_shape(8, 4)), make_tile(_4{}, _4{}));
  check_elements(make_layout(make_shape(3, 2), make_stride(9, 2)), make_tile(_8{}, _2{}));
  check_elements(Layout<Shape<_5, _3>, Stride<_1, _8>>{}, make_tile(_2{}, _2{}));
  check_elements(make_layout(make_shape(5, 7), LayoutRight{}), make_tile(_4{}, _));
}

TEST_CASE("tiles, partitions and slices of a padded tensor are padded", "[block][pad]") {
  auto memory = numbers(35);
  auto const padded = pad(make_tensor(memory.data(), make_shape(5, 7), LayoutRight{}), make_tile(_4{}, _4{}));
  auto const tile = local_tile(padded, Tile<_4, _4>{}, make_coord(1, 1));  // (4,4), one row of three exist
  std::vector<int> sixteen(16, -1);
  copy(tile, make_tensor(sixteen.data(), Shape<_4, _4>{}, LayoutRight{}));
  CHECK(sixteen == std::vector<int>{33, 34, 35, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  CHECK(int(padded(4, _)(6)) == 35);
  CHECK(int(padded(4, _)(7)) == 0);
  int sum = 0;
  for (int thread = 0; thread < 4; ++thread) {
    auto const part = local_partition(padded, Layout<Shape<_2, _2>>{}, thread);  // (4,4)
    for (int i = 0; i < int(size(part)); ++i) sum += int(part(i));
  }
  CHECK(sum == 35 * 36 / 2);
}

TEST_CASE("copy, copy_if and axpby to a padded tensor leave the rest of memory alone", "[block][pad]") {
  std::vector<int> memory(6 * 9, -7);  // a frame around (5,7)
  std::vector<int> const ones(64, 1);
  auto const src = make_tensor(ones.data(), make_shape(8, 8));  // (8,8)
  auto const dst = pad(make_tensor(memory.data(), make_shape(5, 7), make_stride(9, 1)), make_tile(_4{}, _4{}));
  copy(src, dst);
  axpby(2, src, 3, dst);
  copy_if([](auto const& c) { return get<1>(c) == 2; }, make_tensor(numbers(64).data(), make_shape(8, 8)), dst);
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 9; ++j)
      CHECK(memory[std::size_t(9 * i + j)] == (i >= 5 || j >= 7 ? -7 : j == 2 ? 1 + i + 16 : 5));
  }
}

// ---- On a GPU's memories ----

namespace {

struct PadParams {
  float const* in;  // (rows,columns), columns contiguous, nothing behind them
  float* out;
  int rows, columns;
};

/// In through shared memory and back, whole tiles of (16,32), VEC elements at a time. No line names a predicate.
template <int VEC> struct ThroughTiles {
  static constexpr char const* name = "ThroughTiles";
  static constexpr int threads = 64;
  struct Shared {
    SharedArray<float, 16 * 32> tile;
  };

  TS_DEVICE void operator()(Shared& memory, PadParams const& p) const {
    using Tile = Shape<_16, _32>;
    auto const matrix = make_layout(make_shape(p.rows, p.columns), make_stride(p.columns, _1{}));
    auto const in = pad(make_tensor(global(p.in), matrix), Tile{});  // (M,N)
    auto const out = pad(make_tensor(global(p.out), matrix), Tile{});  // (M,N)
    auto const sTile = make_tensor(shared(memory.tile, "tile"), Tile{}, LayoutRight{});  // (16,32)
    auto const part = [](auto const& t) {
      return packed_partition(t, Layout<Shape<_16, _4>, Stride<_4, _1>>{}, thread_index());
    };
    VectorAccess<Step<_0, _1>, 1, VEC> const access;
    auto const at = make_coord(block_index(), _);
    auto const gIn = local_tile(in, Tile{}, at);  // (16,32,n)
    auto const gOut = local_tile(out, Tile{}, at);  // (16,32,n)
    for (int n = 0; n < int(size<2>(gIn)); ++n) {
      copy(access, part(gIn(_, _, n)), part(sTile));
      sync_threads();  // all threads wrote the tile before any reads it
      // Each thread sends the row that another read.
      auto const other = packed_partition(sTile, Layout<Shape<_16, _4>, Stride<_4, _1>>{}, 63 - thread_index());
      auto const there = packed_partition(gOut(_, _, n), Layout<Shape<_16, _4>, Stride<_4, _1>>{}, 63 - thread_index());
      copy(access, other, there);
      sync_threads();  // all threads read the tile before any overwrites it
    }
  }
};

/// One element of the padded matrix in each thread's register, which held -1, by an atom that asks for no predicate.
struct ToRegisters {
  static constexpr char const* name = "ToRegisters";
  static constexpr int threads = 64;
  using Shared = NoShared;

  TS_DEVICE void operator()(Shared&, PadParams const& p) const {
    auto const matrix = make_layout(make_shape(p.rows, p.columns), make_stride(p.columns, _1{}));
    auto const in = pad(make_tensor(global(p.in), matrix), Shape<_8, _8>{});  // (8,8)
    auto const mine = make_tiled_copy(CopyAtom<UniversalCopy<float>, float>{}, Layout<Shape<_8, _8>, Stride<_8, _1>>{})
                          .slice(thread_index());
    auto const tile = local_tile(in, Shape<_8, _8>{}, make_coord(0, 0));  // (8,8)
    auto rIn = make_register_tensor<float>(Shape<_1, _1, _1>{});  // (CPY,CPY_M,CPY_N)
    fill(rIn, -1.0f);
    copy(CopyAtom<UniversalCopy<float>, float>{}, mine.partition_S(tile), rIn);
    global(p.out)[thread_index()] = rIn(_0{});
  }
};

/// Each thread's vector of a padded row by an access that is refused, into registers that held -1.
struct Refused {
  static constexpr char const* name = "Refused";
  static constexpr int threads = 4;
  using Shared = NoShared;

  TS_DEVICE void operator()(Shared&, PadParams const& p) const {
    auto const row = make_layout(make_shape(p.columns), make_stride(_1{}));
    auto const in = pad(make_tensor(global(p.in), row), Shape<_16>{});  // (16)
    float registers[4] = {-1, -1, -1, -1};
    load_if<4>(in.data() + in.layout()(4 * thread_index()), registers, false);
    for (int i = 0; i < 4; ++i) global(p.out)[4 * thread_index() + i] = registers[i];
  }
};

/// The way back: each thread's vector of sevens.
struct RefusedStore {
  static constexpr char const* name = "RefusedStore";
  static constexpr int threads = 4;
  using Shared = NoShared;

  TS_DEVICE void operator()(Shared&, PadParams const& p) const {
    auto const row = make_layout(make_shape(p.columns), make_stride(_1{}));
    auto const out = pad(make_tensor(global(p.out), row), Shape<_16>{});  // (16)
    float const registers[4] = {7, 7, 7, 7};
    store_if<4>(out.data() + out.layout()(4 * thread_index()), registers, false);
  }
};

template <int VEC> void through_tiles(int rows, int columns) {
  CAPTURE(VEC, rows, columns);
  set_run_options({.target = "sm80", .schedule = {}, .check = true, .workers = 0});
  int const count = rows * columns;
  std::vector<float> in(static_cast<std::size_t>(count)), out(in.size());
  std::iota(in.begin(), in.end(), 1.0f);
  DeviceBuffer<float> device_in("in", count), device_out("out", count);
  device_in.upload(in.data(), count);
  launch(ThroughTiles<VEC>{}, (rows + 15) / 16, PadParams{device_in.data(), device_out.data(), rows, columns});
  device_out.download(out.data(), count);
  CHECK(out == in);
  auto const report = take_reports().at(0);
  for (Hazard const& hazard : report.hazards) UNSCOPED_INFO(hazard.message);
  CHECK(report.hazards.empty());  // nothing past the end was read or written
  CHECK(report.counters.global_store_bytes == 4 * count);
}

}  // namespace

TEST_CASE("a padded matrix goes through shared memory without a predicate, in scalars and in vectors", "[block][pad]") {
  through_tiles<1>(16, 32);
  through_tiles<1>(17, 33);
  through_tiles<1>(5, 67);
  through_tiles<4>(17, 36);
  through_tiles<4>(33, 4);
  through_tiles<2>(1, 6);
}

TEST_CASE("an atom reads zeros into registers where a padded matrix has ended", "[block][pad]") {
  set_run_options({.target = "sm80", .schedule = {}, .check = true, .workers = 0});
  std::vector<float> const in(15, 3);
  std::vector<float> out(64);
  DeviceBuffer<float> device_in("in", 15), device_out("out", 64);
  device_in.upload(in.data(), 15);
  launch(ToRegisters{}, 1, PadParams{device_in.data(), device_out.data(), 3, 5});
  device_out.download(out.data(), 64);
  for (int i = 0; i < 64; ++i) CHECK(out[std::size_t(i)] == (i / 8 < 3 && i % 8 < 5 ? 3.0f : 0.0f));
  CHECK(take_reports().at(0).hazards.empty());
}

TEST_CASE("a refused read of a padded tensor leaves its registers, inside of the matrix and past its end",
          "[block][pad]") {
  set_run_options({.target = "sm80", .schedule = {}, .check = true, .workers = 0});
  std::vector<float> const in(8, 3);
  std::vector<float> out(16);
  DeviceBuffer<float> device_in("in", 8), device_out("out", 16);
  device_in.upload(in.data(), 8);
  launch(Refused{}, 1, PadParams{device_in.data(), device_out.data(), 1, 8});
  device_out.download(out.data(), 16);
  CHECK(out == std::vector<float>(16, -1.0f));
  auto const report = take_reports().at(0);
  CHECK(report.hazards.empty());
  CHECK(report.counters.global_load_bytes == 0);
}

TEST_CASE("a refused write to a padded tensor leaves its memory", "[block][pad]") {
  set_run_options({.target = "sm80", .schedule = {}, .check = true, .workers = 0});
  std::vector<float> const before(8, 3);
  std::vector<float> after(8);
  DeviceBuffer<float> out("out", 8);
  out.upload(before.data(), 8);
  launch(RefusedStore{}, 1, PadParams{nullptr, out.data(), 1, 8});
  out.download(after.data(), 8);
  CHECK(after == before);
  CHECK(take_reports().at(0).counters.global_store_bytes == 0);
}

TEST_CASE("what a padded tensor has past the end of the matrix lies at its first element, and nowhere outside",
          "[block][pad]") {
  std::vector<int> memory = numbers(35);
  auto const padded = pad(make_tensor(memory.data(), make_shape(5, 7), LayoutRight{}), make_tile(_4{}, _4{}));
  for (int i = 0; i < 8; ++i) {
    for (int j = 0; j < 8; ++j) {
      auto const at = padded.data() + padded.layout()(i, j);
      bool const exists = i < 5 && j < 7;
      CHECK(at.exists() == exists);
      CHECK(at.address() - memory.data() == (exists ? 7 * i + j : 0));
    }
  }
}
