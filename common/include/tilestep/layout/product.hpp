#pragma once
// Product: repeat a layout. The block stays as it is; the tiler says how many copies there are and in which order
// memory meets them. blocked_product keeps each copy together, raked_product deals the elements out like cards.

#include <tilestep/layout/divide.hpp>  // complement, composition, unzip

namespace tilestep {

/// @post mode 0 is the block; mode 1 says where the copies start, its order is the tiler's
template <class S, class D, class T, class U>
TS_HOST_DEVICE constexpr auto logical_product(Layout<S, D> const& block, Layout<T, U> const& tiler) {
  return make_layout(block, composition(complement(block, size(block) * cosize(tiler)), tiler));
}
template <class S, class D, class Tiler>
  requires(is_tuple_v<Tiler> || is_integral_v<Tiler>)
TS_HOST_DEVICE constexpr auto logical_product(Layout<S, D> const& block, Tiler const& tiler) {
  if constexpr (is_tuple_v<Tiler>) {
    static_assert(rank_v<Tiler> <= rank_v<S>, "logical_product: the tiler has more modes than the block; drop some");
    return transform_modes(block, tiler, [](auto const& mode, auto const& t) { return logical_product(mode, t); });
  } else if constexpr (is_underscore_v<Tiler>) {
    return block;
  } else {
    return logical_product(block, make_layout(tiler));
  }
}

/// ((BlockM,BlockN),(CopiesM,CopiesN)), and with its modes spread out as in divide.
template <class S, class D, class Tiler>
TS_HOST_DEVICE constexpr auto zipped_product(Layout<S, D> const& block, Tiler const& tiler) {
  return detail::unzip(logical_product(block, tiler), tiler);
}
template <class S, class D, class Tiler>
TS_HOST_DEVICE constexpr auto tiled_product(Layout<S, D> const& block, Tiler const& tiler) {
  auto const zipped = zipped_product(block, tiler);
  return zipped(_, repeat<rank_v<decltype(get<1>(zipped))>>(_));
}
template <class S, class D, class Tiler>
TS_HOST_DEVICE constexpr auto flat_product(Layout<S, D> const& block, Tiler const& tiler) {
  auto const zipped = zipped_product(block, tiler);
  return zipped(repeat<rank_v<decltype(get<0>(zipped))>>(_), repeat<rank_v<decltype(get<1>(zipped))>>(_));
}

namespace detail {
/// (block, copies) with both brought to the same rank.
template <class Block, class Tiler>
TS_HOST_DEVICE constexpr auto copies_of(Block const& block, Tiler const& tiler) {
  constexpr int R = Block::rank > Tiler::rank ? Block::rank : Tiler::rank;
  return logical_product(append<R>(block), append<R>(tiler));
}
}  // namespace detail

/// Mode by mode (block, copies): the copies lie side by side.
template <class S, class D, class T, class U>
TS_HOST_DEVICE constexpr auto blocked_product(Layout<S, D> const& block, Layout<T, U> const& tiler) {
  auto const both = detail::copies_of(block, tiler);
  return zip(get<0>(both), get<1>(both));
}
/// Mode by mode (copies, block): neighbours belong to different copies.
template <class S, class D, class T, class U>
TS_HOST_DEVICE constexpr auto raked_product(Layout<S, D> const& block, Layout<T, U> const& tiler) {
  auto const both = detail::copies_of(block, tiler);
  return zip(get<1>(both), get<0>(both));
}

/// The block repeated until it has the target shape; the modes with the lowest `order` are filled first.
template <class S, class D, class Target, class Order = LayoutLeft>
TS_HOST_DEVICE constexpr auto tile_to_shape(Layout<S, D> const& block, Target const& target, Order const& order = {}) {
  static_assert(rank_v<S> <= rank_v<Target>, "tile_to_shape: the block has more modes than the target; add some");
  auto const padded = append<rank_v<Target>>(block);
  auto const block_size = product_each(padded.shape());
  auto const target_size = product_each(shape(target));
  if constexpr (is_static_v<decltype(target_size)>) {
    static_assert(!is_constant_v<false, decltype(evenly_divides(target_size, block_size))>,
                  "tile_to_shape: the block does not divide the target; choose a multiple of the block");
  }
  return blocked_product(padded, make_ordered_layout(ceil_div(target_size, block_size), order));
}

}  // namespace tilestep
