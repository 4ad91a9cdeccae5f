#pragma once
// Modes in the order of their strides, at compile time: the order in which memory meets them.

#include <tilestep/layout/rearrange.hpp>  // Layout, select

namespace tilestep::detail {

template <int N>
struct Order {
  int mode[N > 0 ? N : 1];
};

template <class T>
TS_HOST_DEVICE constexpr std::int64_t known_value() {
  if constexpr (is_static_v<T>) return T::value;
  else return 0;
}

/// The modes whose strides are static, lowest stride first: exchange sort, which leaves few modes in few steps.
template <int Count, class... D>
TS_HOST_DEVICE constexpr Order<Count> order_of(Tuple<D...> const&) {
  constexpr int N = sizeof...(D);
  bool const known[N] = {is_static_v<D>...};
  std::int64_t const stride[N] = {known_value<D>()...};
  Order<Count> order{};
  int count = 0;
  for (int i = 0; i < N; ++i) {
    if (known[i]) order.mode[count++] = i;
  }
  for (int i = 0; i < Count; ++i) {
    for (int j = i + 1; j < Count; ++j) {
      if (stride[order.mode[j]] < stride[order.mode[i]]) {
        int const lower = order.mode[j];
        order.mode[j] = order.mode[i];
        order.mode[i] = lower;
      }
    }
  }
  return order;
}

template <class Strides> struct SortedModes;
template <class... D>
struct SortedModes<Tuple<D...>> {
  static constexpr int count = (0 + ... + int(is_static_v<D>));
  static constexpr Order<count> order = order_of<count>(Tuple<D...>{});
  template <int... I>
  static seq<order.mode[I]...> in_order(seq<I...>);
  using type = decltype(in_order(make_seq<count>{}));
};

/// The indices of the modes with static strides, lowest stride first, as a sequence.
template <class Strides> using sorted_modes = typename SortedModes<remove_cvref_t<Strides>>::type;

/// The modes of a flat layout, lowest stride first; one mode stays alone, even with a run-time stride.
template <class S, class D>
TS_HOST_DEVICE constexpr auto sorted_by_stride(Layout<S, D> const& layout) {
  if constexpr (!is_tuple_v<S>) {
    return make_layout(layout);
  } else {
    return [&]<int... I>(seq<I...>) { return select<I...>(layout); }(sorted_modes<D>{});
  }
}

}  // namespace tilestep::detail
