#pragma once
// Layouts and tilers on which the postconditions of the algebra are tried, exhaustively over their coordinates.

#include <tilestep/layout.hpp>  // Layout

namespace tables {
using namespace tilestep;

/// Row-major, column-major, padded, nested, with gaps, with repetition, with run-time integers.
inline auto layouts() {
  return make_tuple(Layout<_12>{}, Layout<_6, _2>{}, Layout<Shape<_4, _6>>{}, Layout<Shape<_4, _6>, Stride<_6, _1>>{},
                    Layout<Shape<_4, _6>, Stride<_1, Int<5>>>{},
                    Layout<Shape<_4, Shape<_2, _3>>, Stride<_6, Stride<_3, _1>>>{},
                    Layout<Shape<Shape<_2, _2>, Shape<_3, _2>>, Stride<Stride<_1, _6>, Stride<_2, _12>>>{},
                    Layout<Shape<_4, _1, _6>, Stride<_1, _7, _4>>{}, Layout<Shape<_3, _4>, Stride<_0, _1>>{},
                    make_layout(make_shape(4, _6{})), make_layout(make_shape(_4{}, 6), make_stride(6, _1{})),
                    make_layout(make_shape(24)), make_layout(make_shape(make_shape(_2{}, 2), 6), LayoutRight{}));
}

/// Injective layouts with static strides.
inline auto injective() {
  return make_tuple(Layout<_12>{}, Layout<_6, _2>{}, Layout<Shape<_4, _6>>{}, Layout<Shape<_4, _6>, Stride<_6, _1>>{},
                    Layout<Shape<_2, _2>, Stride<_1, _6>>{}, Layout<Shape<_2, _4>, Stride<_4, _8>>{},
                    Layout<Shape<Shape<_2, _2>, _3>, Stride<Stride<_1, _12>, _2>>{},
                    Layout<Shape<_4, _1, _2>, Stride<_2, _7, _16>>{}, Layout<_1>{},
                    make_layout(make_shape(4, _6{}), Stride<_6, _1>{}));
}
}  // namespace tables
