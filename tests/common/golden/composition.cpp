#include "golden.hpp"  // how a case is read

using namespace tilestep;

#define GOLDEN_COMPOSITION(id, a, b, out, n, h) \
  golden::layout(report, id, composition(a, b), out, n, h);
#define GOLDEN_COMPOSITION_TILER(id, a, b, out, n, h) \
  golden::layout(report, id, composition(a, b), out, n, h);

golden::Report composition_cases() {
  golden::Report report;
#include "static/composition.inc"  // cases
#include "dynamic/composition.inc"  // cases
  return report;
}

golden::Report composition_tiler_cases() {
  golden::Report report;
#include "static/composition_tiler.inc"  // cases
#include "dynamic/composition_tiler.inc"  // cases
  return report;
}
