#pragma once
// The softmax of each row: y(m,n) = exp(x(m,n) - max) / sum. One block has one row, whatever its length, and goes over
// it twice, tile by tile: for the maximum and the sum, then for the result.

#include <tilestep/backend/math.hpp>  // exp2_approx
#include <tilestep/tilestep.hpp>

#include <cmath>    // INFINITY
#include <cstdint>  // std::int64_t

using MatrixView =
    tilestep::Layout<tilestep::Shape<std::int64_t, std::int64_t>, tilestep::Stride<std::int64_t, std::int64_t>>;

struct SoftmaxParams {
  float const* x;
  float* y;
  MatrixView layout_x, layout_y;  // (M,N)
};

struct RowSoftmax {
  using BlkN = tilestep::Int<512>;
  static constexpr char const* name = "RowSoftmax";
  static constexpr int threads = 128;

  struct Shared {
    tilestep::SharedArray<float, threads / 32> of_warps;
  };

  TS_DEVICE void operator()(Shared& memory, SoftmaxParams const& p) const {
    using namespace tilestep;
    auto const m = std::int64_t(block_index());
    auto const row_x = make_tensor(global(p.x), p.layout_x)(m, _);                        // (N)
    auto const row_y = make_tensor(global(p.y), p.layout_y)(m, _);                        // (N)

    // [partition]
    // The row in tiles, and where in the row their elements lie. The last tile may stick out.
    auto const gX = local_tile(row_x, Tile<BlkN>{}, make_coord(_));                       // (BLK_N,n)
    auto const gY = local_tile(row_y, Tile<BlkN>{}, make_coord(_));                       // (BLK_N,n)
    auto const cX = local_tile(make_identity_tensor(size(row_x)), Tile<BlkN>{}, make_coord(_));  // (BLK_N,n) -> n
    auto const mine = [&](auto const& tiles, std::int64_t tile) {                         // (BLK_N/THR)
      return local_partition(tiles(_, tile), Layout<Int<threads>>{}, thread_index());
    };
    auto const inside = [&](std::int64_t tile) {
      return [coords = mine(cX, tile), N = size(row_x)](auto const& i) { return coords(i) < N; };
    };
    auto rX = make_register_tensor<float>(Int<BlkN::value / threads>{});
    // [partition]

    // [online]
    // A larger maximum makes what was summed before smaller.
    float most = -INFINITY, sum = 0;
    for (std::int64_t tile = 0; tile < size<1>(gX); ++tile) {
      fill(rX, -INFINITY);
      copy_if(inside(tile), mine(gX, tile), rX);
      float const before = most;
      static_for<rX.size()>([&](auto i) { most = rX(i) > most ? rX(i) : most; });
      if (most > before) sum *= exp_of(before - most);
      if (most > -INFINITY) static_for<rX.size()>([&](auto i) { sum += exp_of(rX(i) - most); });
    }
    // [online]

    // [together]
    float const of_row = over_block(memory, most, [](float a, float b) { return a > b ? a : b; });
    sum = over_block(memory, sum * exp_of(most - of_row), [](float a, float b) { return a + b; });
    // [together]

    for (std::int64_t tile = 0; tile < size<1>(gX); ++tile) {
      copy_if(inside(tile), mine(gX, tile), rX);
      static_for<rX.size()>([&](auto i) { rX(i) = exp_of(rX(i) - of_row) / sum; });
      copy_if(inside(tile), rX, mine(gY, tile));
    }
  }

 private:
  TS_DEVICE static float exp_of(float x) { return tilestep::exp2_approx(x * 1.44269504F); }

  // [over_block]
  /// The values of all threads, joined by op, in every thread. Lanes of a warp exchange theirs; warps meet in shared
  /// memory.
  template <class Op> TS_DEVICE static float over_block(Shared& memory, float value, Op const& op) {
    using namespace tilestep;
    for (int mask = warp_size() / 2; mask > 0; mask /= 2) value = op(value, shuffle_xor(value, mask));
    auto const of_warps = shared(memory.of_warps, "of_warps");
    if (lane_index() == 0) of_warps[warp_index()] = value;
    sync_threads();
    float all = of_warps[0];
    for (int warp = 1; warp < threads / warp_size(); ++warp) all = op(all, of_warps[warp]);
    sync_threads();  // all have read before anyone writes again
    return all;
  }
  // [over_block]
};
