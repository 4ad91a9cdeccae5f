#include "golden.hpp"  // how a case is read

using namespace tilestep;

#define GOLDEN_RIGHT_INVERSE(id, a, out, n, h) \
  golden::layout(report, id, right_inverse(a), out, n, h);
#define GOLDEN_LEFT_INVERSE(id, a, out, n, h) \
  golden::layout(report, id, left_inverse(a), out, n, h);
#define GOLDEN_MAX_COMMON_VECTOR(id, a, b, want) \
  golden::value(report, id, GOLDEN_T(a, b), max_common_vector(a, b), want);
#define GOLDEN_MAX_COMMON_LAYOUT(id, a, b, out, n, h) \
  golden::layout(report, id, max_common_layout(a, b), out, n, h);

golden::Report right_inverse_cases() {
  golden::Report report;
#include "static/right_inverse.inc"  // cases
  return report;
}

golden::Report left_inverse_cases() {
  golden::Report report;
#include "static/left_inverse.inc"  // cases
  return report;
}

golden::Report max_common_vector_cases() {
  golden::Report report;
#include "static/max_common_vector.inc"  // cases
#include "dynamic/max_common_vector.inc"  // cases
  return report;
}

golden::Report max_common_layout_cases() {
  golden::Report report;
#include "static/max_common_layout.inc"  // cases
#include "dynamic/max_common_layout.inc"  // cases
  return report;
}
