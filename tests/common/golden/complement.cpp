#include "golden.hpp"  // how a case is read

using namespace tilestep;

#define GOLDEN_COMPLEMENT(id, a, b, out, n, h) \
  golden::layout(report, id, complement(a, b), out, n, h);
#define GOLDEN_COMPLEMENT_DEFAULT(id, a, out, n, h) \
  golden::layout(report, id, complement(a), out, n, h);

golden::Report complement_cases() {
  golden::Report report;
#include "static/complement.inc"  // cases
#include "dynamic/complement.inc"  // cases
  return report;
}

golden::Report complement_default_cases() {
  golden::Report report;
#include "static/complement_default.inc"  // cases
#include "dynamic/complement_default.inc"  // cases
  return report;
}
