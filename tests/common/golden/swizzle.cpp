#include "golden.hpp"  // how a case is read

using namespace tilestep;

#define GOLDEN_SWIZZLE(id, B, M, S, n, in, out) \
  golden::values<int>(report, id, {GOLDEN_UNPACK in}, {GOLDEN_UNPACK out}, Swizzle<B, M, S>{});
#define GOLDEN_SWIZZLE_COMPOSITION(id, B, M, S, offset, a, n, h) \
  golden::function(report, id, composition(Swizzle<B, M, S>{}, Int<offset>{}, a), n, h);
#define GOLDEN_SWIZZLE_TILE_TO_SHAPE(id, B, M, S, a, s, order, n, h) \
  golden::function(report, id, tile_to_shape(composition(Swizzle<B, M, S>{}, a), s, order), n, h);

golden::Report swizzle_cases() {
  golden::Report report;
#include "static/swizzle.inc"  // cases
  return report;
}

golden::Report swizzle_composition_cases() {
  golden::Report report;
#include "static/swizzle_composition.inc"  // cases
#include "dynamic/swizzle_composition.inc"  // cases
  return report;
}

golden::Report swizzle_tile_to_shape_cases() {
  golden::Report report;
#include "static/swizzle_tile_to_shape.inc"  // cases
  return report;
}
