#include "golden.hpp"  // how a case is read

using namespace tilestep;

#define GOLDEN_BLOCKED_PRODUCT(id, a, b, out, n, h) \
  golden::layout(report, id, blocked_product(a, b), out, n, h);
#define GOLDEN_RAKED_PRODUCT(id, a, b, out, n, h) \
  golden::layout(report, id, raked_product(a, b), out, n, h);

golden::Report blocked_product_cases() {
  golden::Report report;
#include "static/blocked_product.inc"  // cases
#include "dynamic/blocked_product.inc"  // cases
  return report;
}

golden::Report raked_product_cases() {
  golden::Report report;
#include "static/raked_product.inc"  // cases
#include "dynamic/raked_product.inc"  // cases
  return report;
}
