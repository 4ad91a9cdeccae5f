// Second passes and copies of operands that begin while the kernel before them runs, as with `overlaps = true`: without
// a wait they race with the kernel that writes what they read, and with one they do not.

#include <tilestep/backend/cluster.hpp>      // begin_among_kernels
#include <tilestep/backend/launch.hpp>       // launch
#include <tilestep/backend/runtime.hpp>      // DeviceBuffer, take_reports, set_run_options
#include <tilestep/block/finish_slices.hpp>  // FinishSlices
#include <tilestep/block/gemm_params.hpp>    // MatrixLayout
#include <tilestep/block/repack.hpp>         // Repack
#include <tilestep/block/repack_words.hpp>   // RepackWords
#include <tilestep/block/split_k.hpp>        // AddSlices

#include <catch2/catch_test_macros.hpp>  // CHECK

#include <string>  // reports

using namespace tilestep;

namespace {

constexpr int m = 5, n = 264, slices = 3;

/// The kernel before: leaves a number in every element.
struct Leave {
  struct Params {
    float* to;
    int count;
  };
  static constexpr char const* name = "Leave";
  static constexpr int threads = 64;
  using Shared = NoShared;
  TS_DEVICE void operator()(Shared&, Params const& p) const {
    int const i = int(block_index()) * threads + thread_index();
    if (i < p.count) global(p.to)[i] = float(i % 7);
  }
};

template <class Kernel, bool WAITS>
struct Early : Kernel {
  static constexpr bool overlaps = true;
  TS_DEVICE void operator()(typename Kernel::Shared& memory, typename Kernel::Params const& p) const {
    if constexpr (WAITS) begin_among_kernels();
    Kernel::operator()(memory, p);
  }
};

/// The copies in aligned words, as one launch has them. EARLY: what they read and write is touched before they wait.
template <bool EARLY>
struct InWords : RepackWords<float, MatrixLayout> {
  static auto grid(Params const& p) {
    return make_shape(size(RepackWords::grid(p.operands[0])) + size(RepackWords::grid(p.operands[1])));
  }
  TS_DEVICE void operator()(Shared& memory, Params const& p) const {
    if (EARLY && block_index() == 0 && thread_index() == 0)
      global(p.operands[0].to)[0] = float(global(p.operands[0].from)[0]);
    RepackWords::operator()(memory, p);
  }
};

MatrixLayout rows_of(int rows, int line, int batch) {
  return MatrixLayout(make_shape(std::int64_t(rows), std::int64_t(line), std::int64_t(batch)),
                      make_stride(std::int64_t(line), std::int64_t(1), std::int64_t(rows) * line));
}

struct Memory {
  DeviceBuffer<float> sums{"sums", m * n * slices}, c{"C", 64 * 320};
};

/// What is reported of Leave, which writes `written`, and of the kernel behind it.
template <class Kernel>
std::string reported(Memory& memory, float* written, typename Kernel::Params const& params) {
  set_run_options({.target = "sm90", .schedule = {}, .check = true, .workers = 0});
  (void)take_reports();
  Leave::Params const all{memory.sums.data(), m * n * slices};
  launch(Leave{}, ceil_div(all.count, Leave::threads), all);
  Leave::Params const some{written, m * n};
  launch(Leave{}, ceil_div(some.count, Leave::threads), some);
  launch(Kernel{}, size(Kernel::grid(params)), params);
  std::string all_hazards;
  for (KernelReport const& report : take_reports())
    for (Hazard const& hazard : report.hazards) all_hazards += hazard.kind + ": " + hazard.message + "\n";
  set_run_options({});
  return all_hazards;
}

template <class Kernel, class TooEarly = Early<Kernel, false>, class Waiting = Early<Kernel, true>>
void check_waits(typename Kernel::Params const& params, Memory& memory) {
  for (auto const& [written, does] : {std::pair{memory.sums.data(), "before it writes it and may still run"},
                                      std::pair{memory.c.data(), "before it uses it and may still run"}}) {
    std::string const early = reported<TooEarly>(memory, written, params);
    INFO(early);
    CHECK(early.find("race: kernel " + std::string(Kernel::name)) != std::string::npos);
    CHECK(early.find(std::string("and kernel Leave ") + does + ": call begin_among_kernels() first") !=
          std::string::npos);
    CHECK(reported<Waiting>(memory, written, params).empty());
    CHECK(reported<Kernel>(memory, written, params).empty());
  }
}

/// The pass that overlaps, and the other one where it begins as early.
template <class E, int VEC>
void check_finish(FinishSlicesParams<E, MatrixLayout> const& params, Memory& memory) {
  using Overlaps = FinishSlices<E, MatrixLayout, VEC, false, float, true>;
  check_waits<Overlaps, Early<FinishSlices<E, MatrixLayout, VEC>, false>, Overlaps>(params, memory);
}

}  // namespace

TEST_CASE("a second pass over slices that begins early waits for the sums, and for who uses C", "[block][overlap]") {
  Memory memory;
  MatrixLayout const of_sums = rows_of(m, n, slices), of_c = rows_of(m, n, 1);
  using Add = AddSlices<float, float, float, MatrixLayout>;
  check_waits<Add>({memory.sums.data(), memory.c.data(), of_sums, of_c, 1, 0}, memory);
  using E = Epilogue<float, half_t, MatrixLayout>;
  E e{};
  e.c = memory.c.data(), e.layout_c = of_c;
  e.alpha = 1, e.plain = e.wide = true;
  check_finish<E, 1>({memory.sums.data(), of_sums, e}, memory);
  check_finish<E, 4>({memory.sums.data(), of_sums, e}, memory);
}

TEST_CASE("a copy of an operand that begins early waits for the operand, and for who uses the copy",
          "[block][overlap]") {
  Memory memory;
  check_waits<Repack<float, MatrixLayout>>({memory.sums.data(), memory.c.data(), rows_of(m, n, 1), rows_of(64, 320, 1)},
                                           memory);
}

TEST_CASE("copies in words wait for the operand, and for who uses the copy, whenever the next kernel may begin",
          "[block][overlap]") {
  Memory memory;
  RepackWordsParams<float, MatrixLayout> params{};
  params.operands[0] = {memory.sums.data(), memory.c.data(), rows_of(m, n, 1), rows_of(64, 320, 1)};
  for (bool const early : {true, false}) {
    CAPTURE(early);
    params.early = early;
    check_waits<InWords<false>, InWords<true>, InWords<false>>(params, memory);
  }
}
