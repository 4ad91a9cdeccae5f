#include "golden.hpp"  // how a case is read

using namespace tilestep;

#define GOLDEN_COALESCE(id, a, out, n, h) \
  golden::layout(report, id, coalesce(a), out, n, h);
#define GOLDEN_COALESCE_PROFILE(id, a, b, out, n, h) \
  golden::layout(report, id, coalesce(a, b), out, n, h);
#define GOLDEN_FLATTEN(id, a, out, n, h) \
  golden::layout(report, id, flatten(a), out, n, h);
#define GOLDEN_FILTER_ZEROS(id, a, out, n, h) \
  golden::layout(report, id, filter_zeros(a), out, n, h);
#define GOLDEN_FILTER(id, a, out, n, h) \
  golden::layout(report, id, filter(a), out, n, h);

golden::Report coalesce_cases() {
  golden::Report report;
#include "static/coalesce.inc"  // cases
#include "dynamic/coalesce.inc"  // cases
  return report;
}

golden::Report coalesce_profile_cases() {
  golden::Report report;
#include "static/coalesce_profile.inc"  // cases
#include "dynamic/coalesce_profile.inc"  // cases
  return report;
}

golden::Report flatten_cases() {
  golden::Report report;
#include "static/flatten.inc"  // cases
#include "dynamic/flatten.inc"  // cases
  return report;
}

golden::Report filter_zeros_cases() {
  golden::Report report;
#include "static/filter_zeros.inc"  // cases
#include "dynamic/filter_zeros.inc"  // cases
  return report;
}

golden::Report filter_cases() {
  golden::Report report;
#include "static/filter.inc"  // cases
#include "dynamic/filter.inc"  // cases
  return report;
}
