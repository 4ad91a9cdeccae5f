#include "golden.hpp"  // how a case is read

using namespace tilestep;

#define GOLDEN_LOGICAL_PRODUCT(id, a, b, out, n, h) \
  golden::layout(report, id, logical_product(a, b), out, n, h);
#define GOLDEN_ZIPPED_PRODUCT(id, a, b, out, n, h) \
  golden::layout(report, id, zipped_product(a, b), out, n, h);

golden::Report logical_product_cases() {
  golden::Report report;
#include "static/logical_product.inc"  // cases
#include "dynamic/logical_product.inc"  // cases
  return report;
}

golden::Report zipped_product_cases() {
  golden::Report report;
#include "static/zipped_product.inc"  // cases
#include "dynamic/zipped_product.inc"  // cases
  return report;
}
