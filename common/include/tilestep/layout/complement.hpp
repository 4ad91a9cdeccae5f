#pragma once
// Complement: the layout of what a layout leaves out. Its offsets are where copies of the layout must start so that
// together they fill the memory up to a given size, each place once. 4:2 leaves out (2,..):(1,8).

#include <tilestep/layout/coalesce.hpp>  // filter, coalesce
#include <tilestep/layout/sort.hpp>      // sorted_by_stride

namespace tilestep {

namespace detail {
/// Fill the gaps in front of the modes I.. of the sorted layout, `filled` elements being covered already; then repeat
/// the whole until target is reached.
template <int I, class Sorted, class Filled, class Target, class Gaps>
TS_HOST_DEVICE constexpr auto fill_gaps(Sorted const& sorted, Filled const& filled, Target const& target,
                                        Gaps const& gaps) {
  if constexpr (I == Sorted::rank) {
    auto const rest = coalesce(ceil_div(target, filled));
    return coalesce(append(gaps, make_layout(rest, compact_major<LayoutLeft>(rest, filled))));
  } else {
    auto const d = get<I>(sorted.stride());
    auto const gap = d / filled;
    static_assert(!is_constant_v<0, decltype(gap)>,
                  "complement: two coordinates of the layout have one offset; choose strides that keep them apart");
    return fill_gaps<I + 1>(sorted, d * get<I>(sorted.shape()), target, append(gaps, make_layout(gap, filled)));
  }
}
}  // namespace detail

/// @param target  the size to reach: an integer or a shape
/// @pre layout is injective where its stride is not 0; its strides are static if it has more than one mode
/// @post offsets increase; layout and result share no offset but 0; together they reach target
template <class S, class D, class Target>
TS_HOST_DEVICE constexpr auto complement(Layout<S, D> const& layout, Target const& target) {
  auto const modes = filter(layout);
  auto const goal = shape(target);
  if constexpr (is_constant_v<0, decltype(modes.stride())>) {
    return make_layout(coalesce(goal));
  } else {
    static_assert(!is_tuple_v<decltype(modes.stride())> || is_static_v<decltype(modes.stride())>,
                  "complement: the modes cannot be sorted by run-time strides; make the strides static");
    return detail::fill_gaps<0>(detail::sorted_by_stride(modes), Int<1>{}, goal, Layout<Tuple<>, Tuple<>>{});
  }
}
/// The complement within the memory that the layout spans.
template <class S, class D>
TS_HOST_DEVICE constexpr auto complement(Layout<S, D> const& layout) {
  return complement(layout, cosize(filter(layout)));
}

}  // namespace tilestep
