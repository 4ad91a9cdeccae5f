#pragma once
// How the refused inputs of tests/support/golden/errors.inc are written: each line is one call that must not compile.

#include <tilestep/layout.hpp>  // what must refuse

#define GOLDEN_I(n) tilestep::Int<(n)>{}
#define GOLDEN_D(n) int(n)
#define GOLDEN_U tilestep::Underscore{}
#define GOLDEN_T(...) tilestep::make_tuple(__VA_ARGS__)
#define GOLDEN_L(shape, stride) tilestep::make_layout(shape, stride)

#define REFUSED(...) static_cast<void>(__VA_ARGS__);
#define GOLDEN_ERROR_COMPLEMENT_DEFAULT(id, a) REFUSED(complement(a))
#define GOLDEN_ERROR_LEFT_INVERSE(id, a) REFUSED(left_inverse(a))
#define GOLDEN_ERROR_COMPOSITION(id, a, b) REFUSED(composition(a, b))
#define GOLDEN_ERROR_COMPOSITION_TILER(id, a, b) REFUSED(composition(a, b))
#define GOLDEN_ERROR_COMPLEMENT(id, a, b) REFUSED(complement(a, b))
#define GOLDEN_ERROR_LOGICAL_DIVIDE(id, a, b) REFUSED(logical_divide(a, b))
#define GOLDEN_ERROR_ZIPPED_DIVIDE(id, a, b) REFUSED(zipped_divide(a, b))
#define GOLDEN_ERROR_TILED_DIVIDE(id, a, b) REFUSED(tiled_divide(a, b))
#define GOLDEN_ERROR_FLAT_DIVIDE(id, a, b) REFUSED(flat_divide(a, b))
#define GOLDEN_ERROR_LOGICAL_PRODUCT(id, a, b) REFUSED(logical_product(a, b))
#define GOLDEN_ERROR_ZIPPED_PRODUCT(id, a, b) REFUSED(zipped_product(a, b))
#define GOLDEN_ERROR_TILED_PRODUCT(id, a, b) REFUSED(tiled_product(a, b))
#define GOLDEN_ERROR_FLAT_PRODUCT(id, a, b) REFUSED(flat_product(a, b))
#define GOLDEN_ERROR_BLOCKED_PRODUCT(id, a, b) REFUSED(blocked_product(a, b))
#define GOLDEN_ERROR_RAKED_PRODUCT(id, a, b) REFUSED(raked_product(a, b))
#define GOLDEN_ERROR_TILE_TO_SHAPE(id, a, shape, order) REFUSED(tile_to_shape(a, shape, order))
#define GOLDEN_ERROR_SLICE(id, coord, a) REFUSED(slice(coord, a))
#define GOLDEN_ERROR_DICE(id, coord, a) REFUSED(dice(coord, a))
#define GOLDEN_ERROR_LOCAL_TILE(id, a, tile, coord) REFUSED(zipped_divide(a, tile))
#define GOLDEN_ERROR_UPCAST(id, a, N) REFUSED(upcast<N>(a))
#define GOLDEN_ERROR_DOWNCAST(id, a, N) REFUSED(downcast<N>(a))
#define GOLDEN_ERROR_RECAST_LAYOUT(id, a, old_bits, new_bits) REFUSED(recast_layout<old_bits, new_bits>(a))
#define GOLDEN_ERROR_CRD2IDX(id, coord, shape, stride) REFUSED(crd2idx(coord, shape, stride))
#define GOLDEN_ERROR_SWIZZLE(id, B, M, S) REFUSED(tilestep::Swizzle<B, M, S>{}(0))
