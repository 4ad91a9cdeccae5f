#include "golden.hpp"  // how a case is read

using namespace tilestep;

#define GOLDEN_TILE_TO_SHAPE(id, a, s, order, out, n, h) \
  golden::layout(report, id, tile_to_shape(a, s, order), out, n, h);
#define GOLDEN_MAKE_ORDERED_LAYOUT(id, s, order, out, n, h) \
  golden::layout(report, id, make_ordered_layout(s, order), out, n, h);

golden::Report tile_to_shape_cases() {
  golden::Report report;
#include "static/tile_to_shape.inc"  // cases
#include "dynamic/tile_to_shape.inc"  // cases
  return report;
}

golden::Report make_ordered_layout_cases() {
  golden::Report report;
#include "static/make_ordered_layout.inc"  // cases
#include "dynamic/make_ordered_layout.inc"  // cases
  return report;
}
