#pragma once
// Wrong answers to the exercise, one at a time.
// 1. Whole vectors and nothing else, as in the stub. Says: A(0,67) is nan and should be 0
// 2. One element too many is kept. Says: A(0,67) is nan and should be 0
// 3. A vector of which an element is missing is dropped. Says: A(0,64) is 0 and should be 65
// 4. Right, element by element. Says: right, but load requests: 114, at most 18 are allowed

#include "kernel.hpp"  // ZeroFillCopy, CopyAtom

#include <tilestep/harness/wrong_answer.hpp>  // wrong_answer

namespace tilestep {

/// One access of `Bits` bits by each thread, of which some elements may lie past the end of a row.
template <int Bits>
struct MaskedCopy {};
template <int Bits>
struct CopyTraits<MaskedCopy<Bits>> : CopyTraits<CopyBits<Bits>> {};

/// Copies every element for which `pred` holds, and zeros for all others, in whole vectors.
/// @param pred takes the index of an element in src   @param src (CPY,CPY_MN,CPY_K)   @param dst (CPY,CPY_MN,CPY_K)
template <int Bits, class T, class Pred, class Src, class Dst>
TS_INLINE TS_HOST_DEVICE constexpr void copy_if(CopyAtom<MaskedCopy<Bits>, T> const&, Pred const& pred, Src const& src,
                                                Dst&& dst) {
  using Vectors = CopyAtom<ZeroFillCopy<Bits>, T>;
  auto fragment = make_fragment_like<T>(src);                                           // (CPY,CPY_MN,CPY_K)
  if (wrong_answer(4)) {
    static_for<decltype(size(fragment))::value>([&](auto i) { fragment(i) = pred(i) ? T(src(i)) : T{}; });
  } else {
    copy_if(Vectors{}, [&](auto i) { return pred(wrong_answer(3) ? int(i) / 8 * 8 + 7 : int(i)); }, src, fragment);
  }
  static_for<decltype(size(fragment))::value>([&](auto i) {
    bool const keep = wrong_answer(1) || (wrong_answer(2) && i % 8 > 0 ? pred(int(i) - 1) : pred(i));
    if (!keep) fragment(i) = T{};
  });
  copy(Vectors{}, fragment, dst);
}

}  // namespace tilestep
