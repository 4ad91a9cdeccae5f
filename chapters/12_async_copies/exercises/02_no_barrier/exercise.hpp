#pragma once
// The exercise: write a kernel that adds up the columns of a matrix through a ring of four rows, without any barrier.
// The body is empty.

#include <tilestep/backend/async.hpp>    // async_copy, async_commit, async_wait
#include <tilestep/backend/kernel.hpp>   // block_index, thread_index
#include <tilestep/backend/pointer.hpp>  // global, shared, load

namespace tilestep {

/// out(n) = sum over m of in(m,n), in row-major. N is a multiple of 4.
struct ColumnSumsParams {
  float const* in;
  float* out;
  int M, N;
};

/// A block has 512 columns, a thread four of them: those from 512 block_index() + 4 thread_index() on. The last block
/// may reach past N.
struct ColumnSums {
  using Params = ColumnSumsParams;
  static constexpr char const* name = "ColumnSums";
  static constexpr int threads = 128, stages = 4;
  struct Shared {
    SharedArray<float, stages * 4 * threads> ring;
  };

  /// async_copy<4>(to, from, exists)   four floats from global to shared memory, zeros where they do not exist
  /// async_commit()                    closes a group
  /// async_wait<2, 1>()                waits until at most two groups are in flight
  /// load<4>(from, four)               four floats from shared memory
  /// Wanted: three rows are in flight while one is added; a wait leaves two of them; and there is no barrier.
  TS_DEVICE void operator()(Shared& /*memory*/, Params const& /*p*/) const {}
};

}  // namespace tilestep
