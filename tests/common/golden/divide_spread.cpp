#include "golden.hpp"  // how a case is read

using namespace tilestep;

#define GOLDEN_TILED_DIVIDE(id, a, b, out, n, h) \
  golden::layout(report, id, tiled_divide(a, b), out, n, h);
#define GOLDEN_FLAT_DIVIDE(id, a, b, out, n, h) \
  golden::layout(report, id, flat_divide(a, b), out, n, h);

golden::Report tiled_divide_cases() {
  golden::Report report;
#include "static/tiled_divide.inc"  // cases
#include "dynamic/tiled_divide.inc"  // cases
  return report;
}

golden::Report flat_divide_cases() {
  golden::Report report;
#include "static/flat_divide.inc"  // cases
#include "dynamic/flat_divide.inc"  // cases
  return report;
}
