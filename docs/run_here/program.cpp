// The program behind "Run it here": chapter 07's kernel on the virtual GPU, its result compared with a reference, what
// the checker found and what the hardware saw. It runs in a page as WebAssembly and natively, and prints the same there
// byte by byte: a test compares them.

#include <tilestep/atom/half.hpp>        // half_t
#include <tilestep/backend/error.hpp>    // Error, Exit
#include <tilestep/backend/runtime.hpp>  // DeviceBuffer, take_reports

#include "bugs.hpp"     // the names of the bugs
#include "kernels.hpp"  // the kernels
#include "planted.hpp"  // tilestep_planted

#include <algorithm>  // std::replace
#include <cstdio>     // std::printf
#include <cstdlib>    // std::strtol
#include <string>     // names
#include <vector>     // matrices

namespace tilestep {

namespace {

constexpr long most = 512;  // of M, N and K: what a page computes in seconds

struct Problem {
  std::string target = "sm80", bug = "none";
  long m = 129, n = 129, k = 67;
};

long extent(std::string const& name, std::string const& text) {
  char* end = nullptr;
  long const value = std::strtol(text.c_str(), &end, 10);
  if (text.empty() || *end != '\0' || value < 1 || value > most)
    bad_input(name + " is '" + text + "': choose a whole number from 1 to " + std::to_string(most));
  return value;
}

Problem problem_of(std::vector<std::string> const& words) {
  Problem problem;
  for (std::size_t i = 0; i < words.size(); i += 2) {
    std::string const& name = words[i];
    if (i + 1 == words.size()) bad_input(name + " wants a value");
    std::string const& value = words[i + 1];
    if (name == "--m") problem.m = extent("M", value);
    else if (name == "--n") problem.n = extent("N", value);
    else if (name == "--k") problem.k = extent("K", value);
    else if (name == "--target") problem.target = value;
    else if (name == "--bug") problem.bug = value;
    else bad_input(name + " is no option: there are --m, --n, --k, --target and --bug");
  }
  if (problem.target != "sm80" && problem.target != "gfx942")
    bad_input("the target is '" + problem.target + "': choose sm80 or gfx942");
  return problem;
}

/// The number of a bug, from 1; 0 for "none".
int number_of(std::string const& bug) {
  if (bug == "none") return 0;
  std::string names = "none";
  for (int i = 0; i < bug_count; ++i) {
    if (bug == bug_names[i]) return i + 1;
    names += std::string(", ") + bug_names[i];
  }
  bad_input("the bug is '" + bug + "': choose one of " + names);
}

/// A whole number from -8 to 8 that depends on its place alone: sums of 512 products stay exact in f32.
int element(long row, long col, unsigned salt) {
  unsigned bits = unsigned(row) * 0x9e3779b1u ^ unsigned(col) * 0x85ebca77u ^ salt * 0xc2b2ae3du;
  bits = (bits ^ bits >> 15) * 0x2c1b3c6du;
  bits = (bits ^ bits >> 12) * 0x297a2d39u;
  return int((bits >> 15) % 17) - 8;
}

std::vector<int> matrix(long rows, long cols, unsigned salt) {
  std::vector<int> values;
  for (long row = 0; row < rows; ++row)
    for (long col = 0; col < cols; ++col) values.push_back(element(row, col, salt));
  return values;
}

DeviceBuffer<half_t> on_device(char const* name, std::vector<int> const& values) {
  std::vector<half_t> halves;
  for (int const value : values) halves.push_back(half_t(float(value)));
  DeviceBuffer<half_t> buffer(name, std::int64_t(halves.size()));
  buffer.upload(halves.data(), std::int64_t(halves.size()));
  return buffer;
}

/// C = A B^T as the kernel computes it. A is (m,k), B is (n,k), both with K contiguous (nt).
std::vector<float> product(Problem const& p, std::vector<int> const& a, std::vector<int> const& b) {
  DeviceBuffer<half_t> const device_a = on_device("A", a), device_b = on_device("B", b);
  DeviceBuffer<float> device_c("C", std::int64_t(p.m) * p.n);
  std::vector<float> c(std::size_t(p.m * p.n), -1);
  device_c.upload(c.data(), std::int64_t(c.size()));
  mark_uninitialised(device_c.data(), std::int64_t(c.size() * sizeof(float)));

  GemmCall call;
  call.dtype = DType::f16;
  call.m = p.m, call.n = p.n, call.k = p.k;
  call.a = device_a.data(), call.b = device_b.data(), call.c = device_c.data();
  call.stride_a = {p.k, 1, p.m * p.k}, call.stride_b = {p.k, 1, p.n * p.k}, call.stride_c = {p.n, 1, p.m * p.n};
  call.target = p.target;
  auto const kernels = p.target == "sm80" ? tilestep_planted ? nvidia_f16_with_bugs : nvidia_f16
                       : tilestep_planted ? cdna_f16_with_bugs
                                          : cdna_f16;
  kernels(call).front().launch({call});
  synchronize();
  device_c.download(c.data(), std::int64_t(c.size()));
  return c;
}

// 1234567 -> 1,234,567
std::string grouped(std::int64_t value) {
  std::string text = std::to_string(value);
  for (auto at = std::ptrdiff_t(text.size()) - 3; at > 0; at -= 3) text.insert(std::size_t(at), ",");
  return text;
}

/// Compares every element with ==. @return whether all are right
bool compare(Problem const& p, std::vector<int> const& a, std::vector<int> const& b, std::vector<float> const& c) {
  long wrong = 0;
  std::string first;
  for (long m = 0; m < p.m; ++m) {
    for (long n = 0; n < p.n; ++n) {
      int want = 0;
      for (long k = 0; k < p.k; ++k) want += a[std::size_t(m * p.k + k)] * b[std::size_t(n * p.k + k)];
      float const got = c[std::size_t(m * p.n + n)];
      if (got == float(want)) continue;
      if (wrong++ > 0) continue;
      char text[120];
      std::snprintf(text, sizeof(text), "            (m,n) = (%ld,%ld): got %.9g, want %d\n", m, n, double(got), want);
      first = text;
    }
  }
  std::printf("  %-10severy element, exact%s: %s\n", "integers",
              wrong == 0 ? "" : (", " + grouped(wrong) + " of " + grouped(p.m * p.n) + " differ").c_str(),
              wrong == 0 ? "right" : "wrong");
  std::fputs(first.c_str(), stdout);
  return wrong == 0;
}

void print_counters(KernelReport const& report) {
  std::printf("\nwhat the hardware saw: %s on %s, %s blocks of %s threads, %s bytes of shared memory\n",
              report.kernel.c_str(), report.target.c_str(), grouped(report.blocks).c_str(),
              grouped(report.threads).c_str(), grouped(report.shared_bytes).c_str());
  auto const line = [](std::string const& name, std::int64_t value) {
    if (value != 0) std::printf("  %-30s%18s\n", name.c_str(), grouped(value).c_str());
  };
  report.counters.for_each([&](std::string name, std::int64_t value) {
    std::replace(name.begin(), name.end(), '_', ' ');
    line(name, value);
  });
  for (auto const& [name, count] : report.counters.matrix_instructions) line(name, count);
  std::printf("  %-30s%18s\n", "bank conflicts",
              grouped(report.counters.shared_load_conflicts() + report.counters.shared_store_conflicts()).c_str());
  if (report.assumed_rules)
    std::printf("  (wavefronts are counted by bank rules that are assumed for %s)\n", report.target.c_str());
}

int run(std::vector<std::string> const& words) {
  Problem const p = problem_of(words);
  tilestep_planted = number_of(p.bug);
  set_run_options({.target = p.target, .schedule = {}, .workers = 1});
  std::vector<int> const a = matrix(p.m, p.k, 1), b = matrix(p.n, p.k, 2);
  std::vector<float> const c = product(p, a, b);
  KernelReport const report = take_reports().front();

  std::printf("07_k_loop on virtual GPU\n  %-10sm %ld n %ld k %ld, f16 -> f32, nt%s\n", "problem", p.m, p.n, p.k,
              tilestep_planted == 0 ? "" : (", with the bug " + p.bug).c_str());
  bool const right = compare(p, a, b, c);
  std::string const hazards = report.hazards.empty() ? "none" : grouped(std::int64_t(report.hazards.size()));
  std::printf("  %-10s%s\n", "hazards", hazards.c_str());
  for (Hazard const& hazard : report.hazards) std::printf("\n%s\n", text_of(hazard).c_str());
  print_counters(report);
  std::printf("\nverdict: %s\n", !report.hazards.empty() ? "hazard"
                                  : right                 ? "right"
                                                          : "wrong; see docs/symptoms.md#wrong-result");
  return int(!report.hazards.empty() ? Exit::hazard : right ? Exit::right : Exit::wrong);
}

}  // namespace

}  // namespace tilestep

int main(int argc, char** argv) {
  try {
    return tilestep::run({argv + 1, argv + argc});
  } catch (tilestep::Error const& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return int(error.code());
  }
}
