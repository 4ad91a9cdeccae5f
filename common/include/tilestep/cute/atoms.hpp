#pragma once
// Atoms, tiled operations and what a kernel says about its threads, by CuTe's names.

#include <tilestep/backend/async.hpp>   // async_commit, async_wait
#include <tilestep/backend/kernel.hpp>  // thread_index, block_index
#include <tilestep/block.hpp>           // TiledMma, TiledCopy, the copies by atoms

namespace tilestep {

template <class Operation> using MMA_Traits = MmaTraits<Operation>;
template <class Operation> using MMA_Atom = MmaAtom<Operation>;
template <class Atom, class AtomLayout, class Permutation = Tile<Underscore, Underscore, Underscore>>
using TiledMMA = TiledMma<Atom, AtomLayout, Permutation>;
template <class Tiled, class Coord> using ThrMMA = ThrMma<Tiled, Coord>;

template <class Operation> using Copy_Traits = CopyTraits<Operation>;
template <class Operation, class T> using Copy_Atom = CopyAtom<Operation, T>;

/// The widest accesses, of at most 128 bits, that both layouts allow.
using AutoVectorizingCopy = AutoVectorizingCopyWithAssumedAlignment<128>;

/// The accumulators of a thread for a tile of C. @param shape (M,N) @return (MMA,MMA_M,MMA_N) in registers
template <class Atom, class AtomLayout, class Permutation, class Shape>
TS_HOST_DEVICE constexpr auto partition_fragment_C(TiledMma<Atom, AtomLayout, Permutation> const& mma,
                                                   Shape const& shape) {
  return mma.slice(Int<0>{}).partition_fragment_C(make_identity_tensor(shape));
}

/// In a kernel: is this the first thread of the first block, a thread of the first block?
TS_DEVICE inline bool thread0() { return thread_index() == 0 && block_index() == 0; }
TS_DEVICE inline bool block0() { return block_index() == 0; }

/// Closes the group of this thread's asynchronous copies.
TS_DEVICE inline void cp_async_fence() { async_commit(); }

/// Waits until at most the newest N groups of this thread's asynchronous copies are in flight. CuTe's form does not say
/// how many copies a group has, which is what AMD counts: there it waits for all, and async_wait() for no more than it
/// must.
template <int N>
TS_DEVICE inline void cp_async_wait() {
  async_wait<N, 0>();
}

}  // namespace tilestep
