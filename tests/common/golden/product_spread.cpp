#include "golden.hpp"  // how a case is read

using namespace tilestep;

#define GOLDEN_TILED_PRODUCT(id, a, b, out, n, h) \
  golden::layout(report, id, tiled_product(a, b), out, n, h);
#define GOLDEN_FLAT_PRODUCT(id, a, b, out, n, h) \
  golden::layout(report, id, flat_product(a, b), out, n, h);

golden::Report tiled_product_cases() {
  golden::Report report;
#include "static/tiled_product.inc"  // cases
#include "dynamic/tiled_product.inc"  // cases
  return report;
}

golden::Report flat_product_cases() {
  golden::Report report;
#include "static/flat_product.inc"  // cases
#include "dynamic/flat_product.inc"  // cases
  return report;
}
