#pragma once
// The exercise: 128 threads copy a tile of B from global to shared memory, 64 x 32 elements of 16 bits. It lies along
// N: element (n,k) has the offset n + 64 k. Say which thread stands where, and which values it copies at once.

#include <tilestep/layout.hpp>  // Layout

namespace tilestep {

struct MyCopy {
  /// (THR_N,THR_K) -> thread, 0 to 127. The copy repeats this arrangement over the tile.
  ///   a warp is 32 threads with neighbouring numbers
  ///   their loads are one request, which takes as many sectors of 32 bytes as it touches
  using Threads = Layout<Shape<_8, _16>, Stride<_16, _1>>;

  /// (VAL_N,VAL_K) -> value: what each thread copies in one instruction, neighbours in memory, 16 bytes at most.
  /// Written here is a copy of single elements by threads that stand side by side along K.
  using Values = Layout<Shape<_1, _1>>;
};

}  // namespace tilestep
