#include "golden.hpp"  // how a case is read

using namespace tilestep;

#define GOLDEN_UPCAST(id, a, N, out, n, h) \
  golden::layout(report, id, upcast<N>(a), out, n, h);
#define GOLDEN_DOWNCAST(id, a, N, out, n, h) \
  golden::layout(report, id, downcast<N>(a), out, n, h);
#define GOLDEN_RECAST_LAYOUT(id, a, old_bits, new_bits, out, n, h) \
  golden::layout(report, id, recast_layout<old_bits, new_bits>(a), out, n, h);

golden::Report upcast_cases() {
  golden::Report report;
#include "static/upcast.inc"  // cases
#include "dynamic/upcast.inc"  // cases
  return report;
}

golden::Report downcast_cases() {
  golden::Report report;
#include "static/downcast.inc"  // cases
#include "dynamic/downcast.inc"  // cases
  return report;
}

golden::Report recast_layout_cases() {
  golden::Report report;
#include "static/recast_layout.inc"  // cases
  return report;
}
