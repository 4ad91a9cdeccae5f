// What the model is given, and its tables.

#include "predict.hpp"

#include "times.hpp"  // predicted

#include <array>   // rows
#include <cstdio>  // std::snprintf

namespace tilestep {

namespace {

// [fitted]
/// Two H200s of one host, fitted to the eight parts that the lab's table has of them: 246 to 248 GB/s and 27 to 42 us
/// by the difference of two sizes of a collective, and 692 to 807 TFLOP/s of a product.
constexpr Link nvlink_fitted{.to_begin = 35e-6, .step = 0, .bytes = 247e9};
constexpr Cluster two_h200{.inside = nvlink_fitted, .between = nvlink_fitted, .host = 2, .operations = 750e12};
// [fitted]

// [makers]
/// What makers state. NVLink of an H200: 900 GB/s, 450 each way; a network card of 400 Gb/s for each GPU; dense bf16:
/// 989 TFLOP/s. Seconds are those by which NCCL itself chooses, of a ring with its simple protocol.
constexpr Link nvlink{.to_begin = 8.4e-6, .step = 3.4e-6, .bytes = 450e9};
constexpr Link infiniband{.to_begin = 8.4e-6, .step = 14e-6, .bytes = 50e9};
constexpr Cluster hosts_of_eight{.inside = nvlink, .between = infiniband, .host = 8, .operations = 989e12};
// [makers]

constexpr std::int64_t chunks = 4;

/// What the lab's table has: times of two devices in seconds.
struct Measured {
  SharedProblem problem;
  double communication, product, serial;
};
constexpr std::array lab_table{
    Measured{{.m = 8192, .n = 8192, .k = 8192, .scheme = Scheme::gather, .p = 2}, 0.298e-3, 0.681e-3, 0.993e-3},
    Measured{{.m = 8192, .n = 8192, .k = 8192, .scheme = Scheme::scatter, .p = 2}, 0.315e-3, 0.722e-3, 1.070e-3},
    Measured{{.m = 16384, .n = 28672, .k = 8192, .scheme = Scheme::gather, .p = 2}, 0.569e-3, 5.153e-3, 6.015e-3},
    Measured{{.m = 16384, .n = 28672, .k = 8192, .scheme = Scheme::scatter, .p = 2}, 1.951e-3, 5.562e-3, 6.856e-3}};

char const* name_of(Scheme scheme) {
  return scheme == Scheme::gather ? "gather" : scheme == Scheme::scatter ? "scatter" : "grid";
}

template <class... Values>
std::string line(char const* format, Values... values) {
  std::array<char, 200> text{};
  std::snprintf(text.data(), text.size(), format, values...);
  return text.data();
}

}  // namespace

std::string predictions(std::int64_t m, std::int64_t n, std::int64_t k) {
  std::string text = "two H200s: ms, predicted from three numbers that were fitted to what was measured / measured\n";
  text += "m x n x k             scheme   communication  product        serial         overlapped  gain\n";
  for (auto const& [problem, communication, product, serial] : lab_table) {
    Times const times = predicted(problem, two_h200, chunks);
    std::string const size = std::to_string(int(problem.m)) + " x " + std::to_string(int(problem.n)) + " x " +
                             std::to_string(int(problem.k));
    text += line("%-21s %-8s %5.3f / %5.3f  %5.3f / %5.3f  %5.3f / %5.3f  %-10.3f  %.2f\n", size.c_str(),
                 name_of(problem.scheme), times.communication * 1e3, communication * 1e3, times.product * 1e3,
                 product * 1e3, times.serial * 1e3, serial * 1e3, times.overlapped * 1e3,
                 times.serial / times.overlapped);
  }
  text += "\non paper, from makers' figures: ms for " + std::to_string(m) + " x " + std::to_string(n) + " x " +
          std::to_string(k) + " in bf16, hosts of 8\n";
  text += "ranks  grid   scheme   communication  product    serial     overlapped  gain\n";
  for (std::int64_t const ranks : {8, 16, 64, 256, 1024}) {
    std::int64_t p = 1;  // the most square grid
    while (4 * p * p <= ranks) p *= 2;
    for (Scheme const scheme : {Scheme::gather, Scheme::scatter, Scheme::grid}) {
      SharedProblem const problem{.m = double(m),
                                  .n = double(n),
                                  .k = double(k),
                                  .scheme = scheme,
                                  .p = scheme == Scheme::grid ? p : ranks,
                                  .q = scheme == Scheme::grid ? ranks / p : 1};
      Times const times = predicted(problem, hosts_of_eight, chunks);
      std::string const grid = std::to_string(problem.p) + "x" + std::to_string(problem.q);
      text += line("%-5lld  %-6s %-8s %-13.3f  %-9.3f  %-9.3f  %-10.3f  %.2f\n", static_cast<long long>(ranks),
                   grid.c_str(), name_of(scheme), times.communication * 1e3, times.product * 1e3, times.serial * 1e3,
                   times.overlapped * 1e3, times.serial / times.overlapped);
    }
  }
  return text;
}

}  // namespace tilestep
