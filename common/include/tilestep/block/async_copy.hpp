#pragma once
// copy_if by the other operations of cp.async: copy.hpp has the one that the kernels use, and AMD's loads to shared
// memory. What happens where the predicate is false depends on the operation: cp.async leaves the destination as it is,
// cp.async with ZFILL writes zeros.

#include <tilestep/block/copy.hpp>  // detail::predicate, atoms of asynchronous copies

namespace tilestep {

namespace detail {
template <class Operation> inline constexpr bool is_async_operation = false;
template <class S, class D> inline constexpr bool is_async_operation<SM80_CP_ASYNC_CACHEALWAYS<S, D>> = true;
template <class S, class D> inline constexpr bool is_async_operation<SM80_CP_ASYNC_CACHEGLOBAL<S, D>> = true;
template <class S, class D> inline constexpr bool is_async_operation<SM80_CP_ASYNC_CACHEALWAYS_ZFILL<S, D>> = true;
}  // namespace detail

/// Copy in the operation's vectors, each with the predicate of its first element, which takes that element's index in
/// src. The copies are in flight until this thread waits for them.
/// @param src (CPY,CPY_M,..) in global memory, one vector in mode 0
/// @param dst (CPY,CPY_M,..) in shared memory, of the same type
template <class Operation, class T, class Pred, class Src, class Dst>
  requires(detail::is_async_operation<Operation>)
TS_INLINE TS_DEVICE void copy_if(CopyAtom<Operation, T> const&, Pred const& pred, Src const& src, Dst&& dst) {
  constexpr int rank = remove_cvref_t<Src>::rank;
  auto const s = group_modes<1, rank>(make_view(src.data(), src.layout()));                     // (CPY,rest)
  auto const d = group_modes<1, rank>(make_view(dst.data(), dst.layout()));                     // (CPY,rest)
  static_for<decltype(size<1>(s))::value>([&](auto r) TS_INLINE_LAMBDA {
    CopyTraits<Operation>::call(s(_, r), d(_, r), bool(detail::predicate(pred, r * size<0>(s))));
  });
}

}  // namespace tilestep
