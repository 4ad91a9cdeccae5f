#include "golden.hpp"  // how a case is read

using namespace tilestep;

#define GOLDEN_SIZE(id, a, want) \
  golden::value(report, id, a, size(a), want);
#define GOLDEN_COSIZE(id, a, want) \
  golden::value(report, id, a, cosize(a), want);
#define GOLDEN_RANK(id, a, want) \
  golden::value(report, id, a, rank(a), want);
#define GOLDEN_DEPTH(id, a, want) \
  golden::value(report, id, a, depth(a), want);

golden::Report size_cases() {
  golden::Report report;
#include "static/size.inc"  // cases
#include "dynamic/size.inc"  // cases
  return report;
}

golden::Report cosize_cases() {
  golden::Report report;
#include "static/cosize.inc"  // cases
#include "dynamic/cosize.inc"  // cases
  return report;
}

golden::Report rank_cases() {
  golden::Report report;
#include "static/rank.inc"  // cases
#include "dynamic/rank.inc"  // cases
  return report;
}

golden::Report depth_cases() {
  golden::Report report;
#include "static/depth.inc"  // cases
#include "dynamic/depth.inc"  // cases
  return report;
}
