#pragma once
// A tile multiplied in two halves along K as in pipeline.hpp, with all that serves later tiles between the matrix
// instructions: reads of the next fragments, stores of the tile that has arrived, loads of the one after it. A matrix
// instruction keeps its unit busy for many clocks. A warp that has one or two other instructions to issue before the
// next one loses nothing; one that has twenty leaves the unit without work.

#include <tilestep/backend/order.hpp>   // issue_in_order, issue_next
#include <tilestep/block/pipeline.hpp>  // HalfTile, TileHalves
#include <tilestep/block/streamed.hpp>  // StreamedHalves

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
///   multiply_upper_rest         the rest, while the next tile's lower half is read and the tile after it is sent for
/// @tparam Config  a Pipeline with two sets of fragments
template <class Config>
class InterleavedHalves {
  using Mma = typename Config::Mma;
  detail::HalfTile<Config> lower, upper;
  // MMA_M, MMA_N
  static constexpr int rows = decltype(size<1>(lower.a))::value, columns = decltype(size<1>(lower.b))::value;
  static constexpr int steps = decltype(size<2>(lower.a))::value;  // MMA_K of a half
  // products of a half, and of the first part of the upper one
  static constexpr int half = rows * columns * steps, first = (half + 1) / 2;
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
  /// @param send  send(Int<i>{}) sends for the i-th of this thread's copies of a later tile
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
    typename Mma::Atom const atom;
    if constexpr (steps % 2 == 0) {
      static_for<steps / 2>([&](auto i) TS_INLINE_LAMBDA {
        constexpr Int<Part * steps / 2 + i.value> k;
        gemm(atom, upper.a(_, _, k), upper.b(_, _, k), rC);
      });
    } else {
      constexpr int from = Part == 0 ? 0 : first, to = Part == 0 ? first : half;
      static_for<to - from>([&](auto i) TS_INLINE_LAMBDA {
        constexpr Int<(from + i.value) / (rows * columns)> k;
        constexpr Int<(from + i.value) / columns % rows> m;
        constexpr Int<(m.value % 2 == 0 ? (from + i.value) % columns : columns - 1 - (from + i.value) % columns)> n;
        gemm(atom, upper.a(_, m, k), upper.b(_, n, k), rC(_, m, n));
      });
    }
  }
};

/// TileHalves as a kernel with three parts calls it: nothing is computed while a tile is stored to shared memory. Where
/// a warp holds two sets of fragments, other work stands between the products. Copies of a later tile: all warps come
/// from a barrier, and would send for all at once. And f32 that came past the registers is rounded for the next half
/// there: in front of its own products it would keep them waiting.
template <class Config>
class WovenHalves : TileHalves<Config> {
  using Mma = typename Config::Mma;
  using Half = detail::HalfTile<Config>;
  static constexpr bool woven = Config::fragments == 2 && Config::asynchronous && !matrix_instructions_by_tile;
  static constexpr bool rounds = woven && Half::rounds;
  // MMA_M, MMA_N
  static constexpr int rows = decltype(size<1>(Half{}.a))::value, columns = decltype(size<1>(Half{}.b))::value;
  static constexpr int products = decltype(size<2>(Half{}.a))::value * rows * columns;  // of a half
  bool begun = false;

 public:
  template <class TensorA, class TensorB>
  TS_INLINE TS_DEVICE void read_lower(TensorA const& sA, TensorB const& sB) {
    TileHalves<Config>::read_lower(sA, sB);
    if (rounds && !begun) this->lower = this->lower.rounded();  // nothing is multiplied yet that this could stand among
    begun = true;
  }
  template <class TensorA, class TensorB, class TensorC>
  TS_INLINE TS_DEVICE void read_upper_multiply_lower(TensorA const& sA, TensorB const& sB, TensorC& rC) {
    if constexpr (rounds) {
      this->upper.read(_1{}, sA, sB);
      weave<0>(this->lower, this->upper, rC, [](auto) {});
    } else {
      TileHalves<Config>::read_upper_multiply_lower(sA, sB, rC);
    }
  }
  template <class TensorC>
  TS_INLINE TS_DEVICE void multiply_upper_first(TensorC&) const {}
  template <class TensorC, class Send>
  TS_INLINE TS_DEVICE void multiply_upper_rest(TensorC& rC, Send const& send) {
    if constexpr (woven) {
      weave<Config::copies>(this->upper, this->lower, rC, send);
    } else {
      static_for<Config::copies>(send);
      this->multiply_upper(rC);
    }
  }

 private:
  // [woven]
  /// Multiplies one half, with copies and the rounding of the other half evenly between the products.
  template <int COPIES, class TensorC, class Send>
  TS_INLINE TS_DEVICE static void weave(Half const& half, Half& other, TensorC& rC, Send const& send) {
    // products from one copy to the next
    constexpr int apart = products / (COPIES + 2) > 0 ? products / (COPIES + 2) : 1;
    constexpr int landed = products / 4;  // from there on, the other half is in registers
    static_for<(products > (COPIES + 1) * apart ? products : (COPIES + 1) * apart)>([&](auto i) TS_INLINE_LAMBDA {
      constexpr int copy = int(i.value) / apart - 1;
      if constexpr (i.value % apart == 0 && copy >= 0 && copy < COPIES) send(Int<copy>{});
      if constexpr (i.value < products) {
        constexpr Int<i.value / (rows * columns)> k;
        constexpr Int<i.value / columns % rows> m;
        constexpr Int<(m.value % 2 == 0 ? i.value % columns : columns - 1 - i.value % columns)> n;
        gemm(typename Mma::Atom{}, half.a(_, m, k), half.b(_, n, k), rC(_, m, n));
      }
      if constexpr (rounds && i.value >= landed && i.value < products)
        other.template round<(i.value - landed) * Half::values / (products - landed),
                             (i.value + 1 - landed) * Half::values / (products - landed)>();
    });
  }
  // [woven]
};

namespace detail {
template <class Config>
constexpr auto product_of() {
  using Op = typename Config::Instruction;
  if constexpr (streams_fragments<Config>) return std::type_identity<StreamedHalves<Config>>{};
  else if constexpr (Config::fragments == 2 && Config::route == Route::registers && !is_nvidia<Op> && !is_fma<Op>)
    return std::type_identity<InterleavedHalves<Config>>{};
  else return std::type_identity<WovenHalves<Config>>{};
}
}  // namespace detail

/// The product of a tile: interleaved on AMD, where tiles go through registers and warps hold two sets of fragments;
/// with streamed fragments where two sets of f64 would not fit.
template <class Config>
using TileProduct = typename decltype(detail::product_of<Config>())::type;

}  // namespace tilestep
