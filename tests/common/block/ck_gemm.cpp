// The GEMM of Composable Kernel's wrapper tutorial: every element of C is compared.

#include "ck_gemm.hpp"  // CkGemm

#include <tilestep/backend/launch.hpp>   // launch
#include <tilestep/backend/runtime.hpp>  // DeviceBuffer, take_reports, set_run_options

#include <catch2/catch_test_macros.hpp>  // CHECK

#include <string>  // targets
#include <vector>  // matrices

using namespace tilestep;
using ck_test::CkGemm;

namespace {

/// Whole numbers, so that every order of the sums gives the same.
template <class Kernel> void check_gemm(std::string const& target, int m, int n, int k) {
  using Sum = typename Kernel::Sum;
  using T = typename Kernel::Gemm::Mma::ValA;
  CAPTURE(target, m, n, k);
  set_run_options({.target = target, .schedule = {}, .check = true, .workers = 0});
  std::vector<T> a(std::size_t(m) * std::size_t(k)), b(std::size_t(n) * std::size_t(k));
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = T(float(int(i * 37 % 11) - 5));
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = T(float(int(i * 53 % 13) - 6));
  std::vector<Sum> c(std::size_t(m) * std::size_t(n));
  DeviceBuffer<T> device_a("A", m * k), device_b("B", n * k);
  DeviceBuffer<Sum> device_c("C", m * n);  // uninitialised: reading it is a hazard, and so is leaving an element out
  device_a.upload(a.data(), m * k);
  device_b.upload(b.data(), n * k);
  typename Kernel::Params const params{device_a.data(), device_b.data(), device_c.data(), m, n, k};
  launch(Kernel{}, size(Kernel::grid(params)), params);
  device_c.download(c.data(), m * n);
  for (KernelReport const& report : take_reports()) {
    for (Hazard const& hazard : report.hazards) UNSCOPED_INFO(hazard.message);
    CHECK(report.hazards.empty());
  }
  int wrong = 0;
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      float want = 0;
      for (int l = 0; l < k; ++l)
        want += float(a[std::size_t(i) * std::size_t(k) + std::size_t(l)]) *
                float(b[std::size_t(j) * std::size_t(k) + std::size_t(l)]);
      float const got = float(c[std::size_t(i) * std::size_t(n) + std::size_t(j)]);
      if (!(got == want) && wrong++ == 0) UNSCOPED_INFO("C(" << i << "," << j << ") = " << got << ", not " << want);
    }
  }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("CK's tutorial GEMM multiplies 129 x 129 x 67 by its own tile, with padded tensors", "[block][ck]") {
  using Kernel = CkGemm<half_t, XdlTraits_32x32Xdl_4x2XdlPerWave_8K1, 256, 256, 128, 32, 1, false>;
  check_gemm<Kernel>("gfx942", 129, 129, 67);
  check_gemm<Kernel>("gfx90a", 1, 130, 33);
}

TEST_CASE("CK's tutorial GEMM multiplies 129 x 129 x 67 by its own tile in f32 and in i8, too", "[block][ck]") {
  check_gemm<CkGemm<float, XdlTraits_32x32Xdl_4x2XdlPerWave_4K1, 256, 256, 128, 32, 1, false>>("gfx942", 129, 129, 67);
  check_gemm<CkGemm<std::int8_t, XdlTraits_32x32Xdl_4x2XdlPerWave_16K1, 256, 256, 128, 32, 1, false>>("gfx942", 129,
                                                                                                      129, 67);
}

TEST_CASE("CK's tutorial GEMM multiplies f32 and i8 by smaller tiles, in (M,K) and in (K0,M,K1)", "[block][ck]") {
  check_gemm<CkGemm<float, XdlTraits_32x32Xdl_2x2XdlPerWave_4K1, 256, 128, 128, 16, 1, false>>("gfx942", 129, 129, 67);
  check_gemm<CkGemm<std::int8_t, XdlTraits_32x32Xdl_2x2XdlPerWave_16K1, 128, 64, 128, 64, 1, true>>("gfx942", 129, 129,
                                                                                                    67);
}

TEST_CASE("CK's tutorial GEMM copies in vectors where K is a multiple of them", "[block][ck]") {
  check_gemm<CkGemm<half_t, XdlTraits_32x32Xdl_2x2XdlPerWave_8K1, 128, 128, 64, 32, 8, true>>("gfx942", 129, 67, 72);
  check_gemm<CkGemm<half_t, XdlTraits_32x32Xdl_2x2XdlPerWave_8K1, 128, 128, 64, 32, 8, false>>("gfx942", 130, 65, 40);
}
