#pragma once
// The product of a tile of f32 that came past the registers, for the instruction that takes tf32. It would cut off 13
// bits: the fragments of a half are rounded while the other half is multiplied, between its products. In front of their
// own products they would keep them waiting.

#include <tilestep/block/interleave.hpp>  // multiply_among

namespace tilestep {

/// WovenHalves, with the rounding of the other half between the products of one. The virtual GPU, which multiplies a
/// half at once, rounds before it.
template <class Config>
class RoundedHalves {
  using Half = detail::HalfTile<Config>;
  Half lower, upper;
  bool begun = false;

 public:
  /// @param sA (BLK_M,BLK_K)   @param sB (BLK_N,BLK_K)
  template <class TensorA, class TensorB>
  TS_INLINE TS_DEVICE void read_lower(TensorA const& sA, TensorB const& sB) {
    lower.read(_0{}, sA, sB);
    issue_in_order();
    if (!begun) round<0, values>(lower);  // of the first tile: nothing is multiplied yet
    begun = true;
  }
  template <class TensorA, class TensorB, class TensorC>
  TS_INLINE TS_DEVICE void read_upper_multiply_lower(TensorA const& sA, TensorB const& sB, TensorC& rC) {
    upper.read(_1{}, sA, sB);
    multiply<0>(lower, upper, rC, [](auto) {});
  }
  template <class TensorC>
  TS_INLINE TS_DEVICE void multiply_upper_first(TensorC&) const {}
  template <class TensorC, class Send>
  TS_INLINE TS_DEVICE void multiply_upper_rest(TensorC& rC, Send const& send) {
    multiply<Config::copies>(upper, lower, rC, send);
  }

 private:
  static constexpr int values_a = decltype(size(Half{}.a))::value, values = values_a + decltype(size(Half{}.b))::value;

  /// Rounds the values FROM to TO of a half, A's before B's.
  template <int FROM, int TO>
  TS_INLINE TS_DEVICE static void round(Half& half) {
    static_for<TO - FROM>([&](auto i) TS_INLINE_LAMBDA {
      constexpr int at = FROM + i.value;
      if constexpr (at < values_a) half.a.data()[at] = round_tf32(half.a.data()[at].bits);
      else half.b.data()[at - values_a] = round_tf32(half.b.data()[at - values_a].bits);
    });
  }
  // [rounded]
  /// Multiplies one half while the other, which was read before, is rounded.
  template <int COPIES, class TensorC, class Send>
  TS_INLINE TS_DEVICE static void multiply(Half const& half, Half& other, TensorC& rC, Send const& send) {
    if constexpr (matrix_instructions_by_tile) {
      static_for<COPIES>(send);
      round<0, values>(other);
      half.multiply(rC);
    } else {
      multiply_among<COPIES>(half, rC, send, [&](auto i) TS_INLINE_LAMBDA {
        constexpr int landed = Half::products / 4, rest = Half::products - landed;  // from there on, it is in registers
        constexpr int at = int(i.value) - landed;
        if constexpr (at >= 0) round<at * values / rest, (at + 1) * values / rest>(other);
      });
    }
  }
  // [rounded]
};

}  // namespace tilestep
