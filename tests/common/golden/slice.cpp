#include "golden.hpp"  // how a case is read

using namespace tilestep;

#define GOLDEN_SLICE(id, coord, a, out, offset, n, h) \
  golden::layout(report, id, slice(coord, a), out, crd2idx(coord, a), n, h);
#define GOLDEN_DICE(id, coord, a, out, n, h) \
  golden::layout(report, id, dice(coord, a), out, n, h);

golden::Report slice_cases() {
  golden::Report report;
#include "static/slice.inc"  // cases
#include "dynamic/slice.inc"  // cases
  return report;
}

golden::Report dice_cases() {
  golden::Report report;
#include "static/dice.inc"  // cases
#include "dynamic/dice.inc"  // cases
  return report;
}
