#pragma once
// The part of a tensor that one thread works on. Two ways to share out the elements: strided, where neighbouring
// threads own neighbouring elements and each thread's next one lies a whole tile of threads away; and packed, where
// each thread owns one run.

#include <tilestep/tensor/local_tile.hpp>  // outer_partition, inner_partition

namespace tilestep {

namespace detail {
/// The coordinate of thread `index` among threads laid out as `threads` (thread coordinate -> index), one integer a
/// mode.
template <class Threads, class Index>
TS_HOST_DEVICE constexpr auto thread_coordinate(Threads const& threads, Index const& index) {
  auto const shape = wrap(threads.shape());
  return transform(idx2crd(index, shape, wrap(threads.stride())), shape,
                   [](auto const& c, auto const& s) { return crd2idx(c, s); });
}
}  // namespace detail

/// Strided (CuTe's): thread `index` owns the elements at its own coordinate in every tile of the threads' shape.
/// @param tensor  (M,N), or a layout
/// @param threads (THR_M,THR_N) -> thread index
/// @return        (M/THR_M,N/THR_N); ragged modes are rounded up
/// @post every element of the tensor belongs to exactly one thread
template <class TensorT, class Threads, class Index>
TS_HOST_DEVICE constexpr auto local_partition(TensorT const& tensor, Threads const& threads, Index const& index) {
  return outer_partition(tensor, product_each(threads.shape()), detail::thread_coordinate(threads, index));
}

/// As local_partition for a tensor that has only some modes of the threads: `proj` has X at the modes it lacks.
/// @param threads (THR_M,THR_N)   @param proj Step<_1, X>{} for A (M,K) -> (M/THR_M,K)
template <class TensorT, class Threads, class Index, class Proj>
TS_HOST_DEVICE constexpr auto local_partition(TensorT const& tensor, Threads const& threads, Index const& index,
                                              Proj const& proj) {
  return outer_partition(tensor, dice(proj, product_each(threads.shape())),
                         dice(proj, detail::thread_coordinate(threads, index)));
}

/// Packed (CK's): thread `index` owns consecutive elements, a tile of ceil(M/THR_M) x ceil(N/THR_N), at least 1 x 1. A
/// thread beyond the end of the tensor owns elements that do not exist: predicates mask them.
/// @post the same elements in all as local_partition, shared out in runs
template <class TensorT, class Threads, class Index>
TS_HOST_DEVICE constexpr auto packed_partition(TensorT const& tensor, Threads const& threads, Index const& index) {
  auto const tile = transform(ceil_div(product_each(shape(tensor)), product_each(threads.shape())),
                              [](auto const& t) { return max(_1{}, t); });
  return inner_partition(tensor, tile, detail::thread_coordinate(threads, index));
}

}  // namespace tilestep
