#pragma once
// 16 bytes that begin at any element lie in two aligned words of 16 bytes: a thread reads both and shifts its part out
// of them.

#include <tilestep/backend/pointer.hpp>  // load_if, recast
#include <tilestep/backend/math.hpp>    // min, max
#include <tilestep/tensor/loop.hpp>     // unroll

#include <cstdint>  // std::uint32_t, std::uintptr_t

namespace tilestep {

/// A run of 16 bytes that begins at any element, in registers: first the two aligned words that it lies in.
/// @tparam T  of 1, 2, 4 or 8 bytes
template <class T>
struct UnalignedRun {
  static constexpr int size = int(sizeof(T)), vec = 16 / size;

  std::uint32_t bits[8]{};
  int skip = 0;   ///< elements of the first word that lie before the run
  int count = 0;  ///< elements of the run that are wanted; zeros follow them

  // [words]
  /// Starts reading elements first .. first + count - 1 of an operand that has `end`, by words that lie inside of it.
  /// The words at its two ends may stick out: those are read element by element.
  TS_DEVICE TS_INLINE void read(T const* operand, std::int64_t end, std::int64_t first, int wanted) {
    auto const from = global(operand);
    // aligned words are counted from the one in which the operand begins
    int const before = int(reinterpret_cast<std::uintptr_t>(operand) % 16) / size;
    std::int64_t const word = (first + before) / vec * vec - before;
    skip = int(first - word), count = wanted;
    unroll<2>([&](auto i) TS_INLINE_LAMBDA {
      std::int64_t const at = word + i * vec;
      bool const needed = count > 0 && (i == 0 || skip + count > vec), inside = at >= 0 && at + vec <= end;
      load_if<4>(recast<std::uint32_t const>(from + at), bits + 4 * i, needed && inside);
      if (needed && !inside) {
        T elements[vec]{};
        unroll<vec>([&](auto j) TS_INLINE_LAMBDA {
          load_if<1>(from + at + j, elements + j, at + j >= 0 && at + j < end);
        });
        __builtin_memcpy(bits + 4 * i, elements, 16);
      }
    });
  }
  // [words]

  // [shift]
  /// Moves the run to the first four registers: by two of them, by one, by bytes. Clears what is not wanted.
  TS_DEVICE TS_INLINE void shift() {
    int const bytes = skip * size;
    unroll<6>([&](auto i) TS_INLINE_LAMBDA { bits[i] = bytes & 8 ? bits[i + 2] : bits[i]; });
    unroll<5>([&](auto i) TS_INLINE_LAMBDA { bits[i] = bytes & 4 ? bits[i + 1] : bits[i]; });
    if constexpr (size < 4)
      unroll<4>([&](auto i) TS_INLINE_LAMBDA {
        bits[i] = std::uint32_t((std::uint64_t(bits[i + 1]) << 32 | bits[i]) >> (bytes % 4 * 8));
      });
    if (count == vec) return;
    unroll<4>([&](auto i) TS_INLINE_LAMBDA {
      int const kept = min(max(count * size - i * 4, 0), 4);  // bytes of this register
      bits[i] &= kept == 4 ? ~0u : (1u << 8 * kept) - 1;
    });
  }
  // [shift]
};

}  // namespace tilestep
