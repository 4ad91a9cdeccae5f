// Grades the exercise: windows inside, across each edge, and wholly outside of a matrix; what the window does not reach
// stays as it was.

#include EXERCISE_HEADER

#include <tilestep/backend/launch.hpp>  // launch, DeviceBuffer, take_reports

#include <cstdio>  // messages
#include <vector>  // matrices

using namespace tilestep;

namespace {

struct Problem {
  std::int64_t R, C, M, N, r0, c0;
};

MatrixView by_rows(std::int64_t rows, std::int64_t cols) {
  return MatrixView(make_shape(rows, cols), make_stride(cols, std::int64_t(1)));
}

/// 0 right, 1 wrong, 4 hazard.
int check(Problem const& q) {
  std::printf("a %lld x %lld window at (%lld,%lld) of a %lld x %lld matrix: ", static_cast<long long>(q.M),
              static_cast<long long>(q.N), static_cast<long long>(q.r0), static_cast<long long>(q.c0),
              static_cast<long long>(q.R), static_cast<long long>(q.C));
  std::vector<float> in(std::size_t(q.M * q.N)), before(std::size_t(q.R * q.C));
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = float(i + 1);
  for (std::size_t i = 0; i < before.size(); ++i) before[i] = -float(i + 1);
  auto want = before, got = before;
  for (std::int64_t m = 0; m < q.M; ++m) {
    for (std::int64_t n = 0; n < q.N; ++n) {
      std::int64_t const r = q.r0 + m, c = q.c0 + n;
      if (r >= 0 && r < q.R && c >= 0 && c < q.C) want[std::size_t(r * q.C + c)] = in[std::size_t(m * q.N + n)];
    }
  }

  DeviceBuffer<float> device_in("in", q.M * q.N), device_out("out", q.R * q.C);
  device_in.upload(in.data(), q.M * q.N);
  device_out.upload(before.data(), q.R * q.C);
  WriteBackParams const params{device_in.data(), device_out.data(), by_rows(q.M, q.N), by_rows(q.R, q.C),
                               make_coord(q.r0, q.c0)};
  launch(WriteBack{}, size(WriteBack::grid(params)), params);
  device_out.download(got.data(), q.R * q.C);

  bool hazard = false;
  for (KernelReport const& report : take_reports()) {  // none where the window is empty
    for (Hazard const& each : report.hazards)
      std::printf("\n  %s: %s", each.kind.c_str(), each.message.c_str()), hazard = true;
  }
  std::int64_t wrong = 0;
  for (std::int64_t r = 0; r < q.R; ++r) {
    for (std::int64_t c = 0; c < q.C; ++c) {
      std::size_t const at = std::size_t(r * q.C + c);
      if (got[at] == want[at]) continue;
      if (wrong++ == 0) {
        std::printf("\n  (%lld,%lld) is %g and should be %g%s", static_cast<long long>(r), static_cast<long long>(c),
                    double(got[at]), double(want[at]), want[at] == before[at] ? ": the window does not reach it" : "");
      }
    }
  }
  if (wrong > 1) std::printf("\n  and %lld more are wrong", static_cast<long long>(wrong - 1));
  std::puts(hazard || wrong > 0 ? "" : "right");
  return hazard ? 4 : wrong > 0 ? 1 : 0;
}

}  // namespace

int main() {
  int verdict = 0;
  for (Problem const& q : {Problem{20, 30, 8, 16, 3, 5},
                           {20, 30, 9, 17, 3, 5},
                           {20, 30, 9, 17, 3, 20},
                           {20, 30, 9, 17, 15, 5},
                           {20, 30, 9, 17, -4, -5},
                           {5, 7, 30, 40, -10, -20},
                           {20, 30, 4, 4, 50, 50},
                           {20, 30, 4, 4, -9, 3},
                           {1, 1, 1, 1, 0, 0},
                           {0, 7, 3, 3, 0, 0},
                           {5, 7, 0, 3, 1, 1}}) {
    int const one = check(q);
    if (one > verdict) verdict = one;
  }
  return verdict;
}
