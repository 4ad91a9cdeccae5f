#pragma once
// A tile multiplied in two halves along K as in pipeline.hpp, with all that serves later tiles between the matrix
// instructions: reads of the next fragments, stores of the tile that has arrived, loads of the one after it. A matrix
// instruction keeps its unit busy for many clocks. A warp that has one or two other instructions to issue before the
// next one loses nothing; one that has twenty leaves the unit without work.

#include <tilestep/backend/order.hpp>   // issue_in_order, issue_next
#include <tilestep/block/pipeline.hpp>  // HalfTile, TileHalves

namespace tilestep {

// [issue_plan]
/// Matrix instructions of one part of a tile, and which others are issued among them: `count` of `what`, then `more` of
/// `then`.
struct IssuePlan {
  int products;                       ///< matrix instructions
  Issue what, then;
  int count, more;
  int before;                         ///< products that are issued before the first of the others
  int among;                          ///< products that have others in front of them, evenly; the rest follow

  /// How many of the others are issued before this product, counted from 0.
  constexpr int others_before(int product) const {
    int const slot = product - before + 1;
    return slot <= 0 ? 0 : slot >= among ? count + more : (slot * (count + more) + among - 1) / among;
  }
};
// [issue_plan]

// [interleaved]
/// The product of a tile in three parts, each issued among other instructions:
///   read_upper_multiply_lower   the lower half, while the upper one is read
///   multiply_upper_first        a part of the upper half, while the next tile is stored to shared memory
///   multiply_upper_rest         the rest, while the next tile's lower half is read and the tile after it is loaded
/// @tparam Config  a Pipeline with two sets of fragments
template <class Config>
class InterleavedHalves {
  using Mma = typename Config::Mma;
  using Half = detail::HalfTile<Config>;
  Half lower, upper;
  // products of a half, and of the first part of the upper one
  static constexpr int half = Half::products, first = (half + 1) / 2;
  static constexpr int reads = int(size(decltype(lower.a){}) + size(decltype(lower.b){})) *
                               int(sizeof(typename Mma::ValA)) / 16;

 public:
  static constexpr IssuePlan issue_plan[3] = {
      {half, Issue::shared_load, Issue::shared_load, reads, 0, 0, half * 3 / 4},
      {first, Issue::shared_store, Issue::shared_store, Config::copies, 0, 1, first - 1},
      {half - first, Issue::shared_load, Issue::global_load, reads, Config::copies, 0, half - first}};
  // [interleaved]

  /// Read the lower half of a tile that is complete. @param sA (BLK_M,BLK_K)   @param sB (BLK_N,BLK_K)
  template <class TensorA, class TensorB>
  TS_INLINE TS_DEVICE void read_lower(TensorA const& sA, TensorB const& sB) { lower.read(_0{}, sA, sB); }

  /// Read the upper half and multiply the lower one. From here on nothing of the tile is read any more.
  template <class TensorA, class TensorB, class TensorC>
  TS_INLINE TS_DEVICE void read_upper_multiply_lower(TensorA const& sA, TensorB const& sB, TensorC& rC) {
    issue_in_order();
    upper.read(_1{}, sA, sB);
    lower.multiply(rC);
    issue<0>();
  }
  template <class TensorC>
  TS_INLINE TS_DEVICE void multiply_upper_first(TensorC& rC) const {
    multiply_part<0>(rC);
    issue<1>();
  }
  /// @param send  send(Int<i>{}) issues the i-th of this thread's copies of a later tile
  template <class TensorC, class Send>
  TS_INLINE TS_DEVICE void multiply_upper_rest(TensorC& rC, Send const& send) const {
    static_for<Config::copies>(send);
    multiply_part<1>(rC);
    issue<2>();
  }

 private:
  // [issue]
  /// Orders what stands since the last issue_in_order().
  template <int Part>
  TS_INLINE TS_DEVICE static void issue() {
    constexpr IssuePlan with = issue_plan[Part];
    static_for<with.products + 1>([&](auto product) TS_INLINE_LAMBDA {
      constexpr int from = product.value == 0 ? 0 : with.others_before(product.value - 1);
      constexpr int to = product.value == with.products ? with.count + with.more : with.others_before(product.value);
      static_for<to - from>(
          [&](auto i) TS_INLINE_LAMBDA { issue_next<(from + i.value < with.count ? with.what : with.then), 1>(); });
      if constexpr (product.value < with.products) issue_next<Issue::matrix, 1>();
    });
    issue_in_order();
  }
  // [issue]
  template <int Part, class TensorC>
  TS_INLINE TS_DEVICE void multiply_part(TensorC& rC) const {
    constexpr int steps = Half::steps;
    if constexpr (steps % 2 == 0) {
      static_for<steps / 2>([&](auto i) TS_INLINE_LAMBDA {
        auto const k = i + Int<Part * steps / 2>{};
        gemm(typename Mma::Atom{}, upper.a(_, _, k), upper.b(_, _, k), rC);
      });
    } else {
      static_for<Part == 0 ? first : half - first>(
          [&](auto i) TS_INLINE_LAMBDA { upper.template multiply_one<Part * first + i.value>(rC); });
    }
  }
};

// [woven]
/// Multiplies half a tile, with copies evenly between the products. @param send  send(Int<i>{}) issues the i-th copy
/// @param after  after(Int<i>{}) follows the i-th product
template <int COPIES, class Half, class TensorC, class Send, class After>
TS_INLINE TS_DEVICE void multiply_among(Half const& half, TensorC& rC, Send const& send, After const& after) {
  constexpr int products = Half::products;
  // products from one copy to the next
  constexpr int apart = products / (COPIES + 2) > 0 ? products / (COPIES + 2) : 1;
  static_for<(products > (COPIES + 1) * apart ? products : (COPIES + 1) * apart)>([&](auto i) TS_INLINE_LAMBDA {
    constexpr int copy = int(i.value) / apart - 1;
    if constexpr (i.value % apart == 0 && copy >= 0 && copy < COPIES) send(Int<copy>{});
    if constexpr (i.value < products) {
      half.template multiply_one<i.value>(rC);
      after(i);
    }
  });
}
// [woven]

/// TileHalves as a kernel with three parts calls it: nothing is computed while a tile is stored to shared memory. Where
/// a warp holds two sets of fragments, the copies of a later tile stand between the products: all warps come from a
/// barrier, and would otherwise issue all copies at once.
template <class Config>
struct WovenHalves : TileHalves<Config> {
  static constexpr bool woven = Config::fragments == 2 && Config::asynchronous && !matrix_instructions_by_tile;

  template <class TensorC>
  TS_INLINE TS_DEVICE void multiply_upper_first(TensorC&) const {}
  template <class TensorC, class Send>
  TS_INLINE TS_DEVICE void multiply_upper_rest(TensorC& rC, Send const& send) const {
    if constexpr (woven) {
      multiply_among<Config::copies>(this->upper, rC, send, [](auto) {});
    } else {
      static_for<Config::copies>(send);
      this->multiply_upper(rC);
    }
  }
};

/// The product of a tile: its parts ordered by a plan where tiles go through registers and warps hold two sets of
/// fragments, which is on AMD.
template <class Config>
using TileProduct = std::conditional_t<Config::fragments == 2 && Config::route == Route::registers,
                                       InterleavedHalves<Config>, WovenHalves<Config>>;

}  // namespace tilestep
