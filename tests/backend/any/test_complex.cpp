// Complex atoms against plain complex arithmetic: exact on whole numbers, and bit for bit on others, by fused
// multiply-adds of f64 in the order that complex_mma.hpp states.

#include "complex_kernels.hpp"  // ComplexGemm
#include "device.hpp"           // need_device

#include <tilestep/backend/runtime.hpp>  // DeviceBuffer, take_reports, target

#include <catch2/catch_test_macros.hpp>  // TEST_CASE, CHECK

#include <bit>          // std::bit_cast
#include <cmath>        // std::fma, std::ldexp
#include <complex>      // std::complex
#include <string_view>  // names of targets
#include <vector>       // matrices

namespace backend_test {

namespace {

using Complexes = std::vector<complex<double>>;

/// Matrices (M,K), (N,K) and (M,N), each column-major, before and after a run.
template <class Op>
struct Ran {
  using Kernel = ComplexGemm<Op>;
  static constexpr int M = Kernel::M, N = Kernel::N, K = Kernel::K;
  Complexes a = Complexes(M * K), b = Complexes(N * K), before = Complexes(M * N), c;

  /// @param make (i) -> a number
  template <class Make>
  explicit Ran(Make&& make) {
    int i = 0;
    for (Complexes* const matrix : {&a, &b, &before}) {
      for (complex<double>& element : *matrix) element = {make(i), make(i + 1)}, i += 2;
    }
    c = before;
    if (Kernel::starts_at_zero) before.assign(before.size(), complex<double>(0));
    DeviceBuffer<complex<double>> device_a("A", M * K), device_b("B", N * K), device_c("C", M * N);
    device_a.upload(a.data(), M * K);
    device_b.upload(b.data(), N * K);
    device_c.upload(c.data(), M * N);
    launch(Kernel{}, 1, typename Kernel::Params{device_a.data(), device_b.data(), device_c.data()});
    synchronize();
    device_c.download(c.data(), M * N);
    for (KernelReport const& report : take_reports()) {
      for (Hazard const& hazard : report.hazards) FAIL_CHECK(hazard.kind << ": " << hazard.message);
    }
  }

  /// How many elements of C are not want(m, n).
  template <class Want>
  int unlike(Want&& want) const {
    int count = 0;
    for (int m = 0; m < M; ++m) {
      for (int n = 0; n < N; ++n) {
        complex<double> const got = c[std::size_t(m + M * n)], wanted = want(m, n);
        count += std::bit_cast<std::uint64_t>(got.real()) != std::bit_cast<std::uint64_t>(wanted.real()) ||
                 std::bit_cast<std::uint64_t>(got.imag()) != std::bit_cast<std::uint64_t>(wanted.imag());
      }
    }
    return count;
  }
  [[nodiscard]] complex<double> of_a(int m, int k) const { return a[std::size_t(m + M * k)]; }
  [[nodiscard]] complex<double> of_b(int n, int k) const { return b[std::size_t(n + N * k)]; }
};

double whole(int i) { return double((i * 7 + i * i % 11) % 23 - 11); }
/// Sums of these are not exact.
double some(int i) {
  unsigned const bits = unsigned(i) * 2654435761u;
  return std::ldexp(double(bits) - 0x1p31, -31 - int(bits % 13)) * (1.0 + 0x1p-40 * double(bits >> 7));
}

/// By C++'s complex numbers, which are exact here.
template <class Op>
int unlike_on_whole_numbers() {
  Ran<Op> const ran(whole);
  return ran.unlike([&](int m, int n) {
    complex<double> const c = ran.before[std::size_t(m + ran.M * n)];
    std::complex<double> sum(c.real(), c.imag());
    for (int k = 0; k < ran.K; ++k) {
      complex<double> const x = ran.of_a(m, k), y = ran.of_b(n, k);
      sum += std::complex<double>(x.real(), x.imag()) * std::complex<double>(y.real(), y.imag());
    }
    return complex<double>(sum.real(), sum.imag());
  });
}

/// An instruction's k from `first` on, one after the other.
template <class X, class Y>
double with_products(double sum, int first, int count, X&& x, Y&& y) {
  for (int k = first; k < first + count; ++k) sum = std::fma(x(k), y(k), sum);
  return sum;
}

template <class Op>
int unlike_on_others() {
  Ran<Op> const ran(some);
  constexpr int each = size<2>(typename MmaTraits<Op>::Shape_MNK{});
  return ran.unlike([&](int m, int n) {
    auto const ar = [&](int k) { return ran.of_a(m, k).real(); };
    auto const ai = [&](int k) { return ran.of_a(m, k).imag(); };
    auto const br = [&](int k) { return ran.of_b(n, k).real(); };
    auto const bi = [&](int k) { return ran.of_b(n, k).imag(); };
    if constexpr (ComplexGemm<Op>::starts_at_zero) {
      auto const sum_a = [&](int k) { return ar(k) + ai(k); };
      auto const sum_b = [&](int k) { return br(k) + bi(k); };
      double const t0 = with_products(0, 0, ran.K, ar, br), t1 = with_products(0, 0, ran.K, ai, bi),
                   t2 = with_products(0, 0, ran.K, sum_a, sum_b);
      return complex<double>(t0 - t1, t2 - t0 - t1);
    } else {
      complex<double> const before = ran.before[std::size_t(m + ran.M * n)];
      double real = before.real(), imaginary = before.imag();
      for (int k = 0; k < ran.K; k += each) {
        real = with_products(real, k, each, ar, br);
        imaginary = with_products(imaginary, k, each, ai, br);
        real = with_products(real, k, each, [&](int i) { return -ai(i); }, bi);
        imaginary = with_products(imaginary, k, each, ar, bi);
      }
      return complex<double>(real, imaginary);
    }
  });
}

/// Calls visit(Op{}) for each atom that the target has. @return how often
template <class Visit>
int for_each_here(Visit&& visit) {
  int visited = 0;
  for (std::string_view const name : {"sm80", "sm90"}) {
    if (describes_tensors) set_run_options(RunOptions{std::string(name), {}, true, 0});
    else if (target().name != name) continue;
    INFO("on " << name);
    for_each_complex_atom([&]<class Op>(Op op) {
      constexpr bool since_sm80 = size<0>(typename MmaTraits<Op>::Shape_MNK{}) == 8;
      if (!since_sm80 && name == "sm80") return;
      visit(op);
      ++visited;
    });
    if (describes_tensors) set_run_options({});
  }
  return visited;
}

}  // namespace

TEST_CASE("complex atoms multiply whole numbers as C++'s complex numbers do", "[matrix][complex]") {
  need_device();
  if (target().vendor != Vendor::nvidia) SKIP("needs a target with mma.sync");
  CHECK(for_each_here([]<class Op>(Op) { CHECK(unlike_on_whole_numbers<Op>() == 0); }) >= 2);
}

TEST_CASE("complex atoms give the bits of fused multiply-adds in the order that they state", "[matrix][complex]") {
  need_device();
  if (target().vendor != Vendor::nvidia) SKIP("needs a target with mma.sync");
  CHECK(for_each_here([]<class Op>(Op) { CHECK(unlike_on_others<Op>() == 0); }) >= 2);
}

}  // namespace backend_test
