#include "golden.hpp"  // how a case is read

using namespace tilestep;

#define GOLDEN_LOGICAL_DIVIDE(id, a, b, out, n, h) \
  golden::layout(report, id, logical_divide(a, b), out, n, h);
#define GOLDEN_ZIPPED_DIVIDE(id, a, b, out, n, h) \
  golden::layout(report, id, zipped_divide(a, b), out, n, h);

golden::Report logical_divide_cases() {
  golden::Report report;
#include "static/logical_divide.inc"  // cases
#include "dynamic/logical_divide.inc"  // cases
  return report;
}

golden::Report zipped_divide_cases() {
  golden::Report report;
#include "static/zipped_divide.inc"  // cases
#include "dynamic/zipped_divide.inc"  // cases
  return report;
}
