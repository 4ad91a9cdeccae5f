#include "golden.hpp"  // how a case is read

using namespace tilestep;

#define GOLDEN_IDX2CRD(id, s, n, h) \
  golden::coordinates(report, id, n, h, [&](int i) { return idx2crd(i, s); });
#define GOLDEN_IDX2CRD_STRIDE(id, s, d, n, h) \
  golden::coordinates(report, id, n, h, [&](int i) { return idx2crd(i, s, d); });
#define GOLDEN_CRD2IDX(id, s, d, n, in, out) \
  golden::values<decltype(GOLDEN_FIRST in)>(report, id, {GOLDEN_UNPACK in}, {GOLDEN_UNPACK out}, \
      [&](auto const& c) { return crd2idx(c, s, d); });
#define GOLDEN_CRD2IDX_SHAPE(id, s, n, in, out) \
  golden::values<decltype(GOLDEN_FIRST in)>(report, id, {GOLDEN_UNPACK in}, {GOLDEN_UNPACK out}, \
      [&](auto const& c) { return crd2idx(c, s); });
#define GOLDEN_CRD2CRD(id, s, to, n, in, h) \
  { std::vector<decltype(GOLDEN_FIRST in)> const crds{GOLDEN_UNPACK in}; \
    golden::coordinates(report, id, n, h, [&](int i) { return crd2crd(crds[i], s, to); }); }

golden::Report idx2crd_cases() {
  golden::Report report;
#include "static/idx2crd.inc"  // cases
#include "dynamic/idx2crd.inc"  // cases
  return report;
}

golden::Report idx2crd_stride_cases() {
  golden::Report report;
#include "static/idx2crd_stride.inc"  // cases
#include "dynamic/idx2crd_stride.inc"  // cases
  return report;
}

golden::Report crd2idx_cases() {
  golden::Report report;
#include "static/crd2idx.inc"  // cases
#include "dynamic/crd2idx.inc"  // cases
  return report;
}

golden::Report crd2idx_shape_cases() {
  golden::Report report;
#include "static/crd2idx_shape.inc"  // cases
#include "dynamic/crd2idx_shape.inc"  // cases
  return report;
}

golden::Report crd2crd_cases() {
  golden::Report report;
#include "static/crd2crd.inc"  // cases
#include "dynamic/crd2crd.inc"  // cases
  return report;
}
