// Kernels that may begin while those before them run: what they touch before begin_among_kernels() is a race where a
// kernel before them uses it, too.

#include "run_kernel.hpp"

#include <tilestep/backend/caller.hpp>   // follow_kernels_of_the_caller
#include <tilestep/backend/cluster.hpp>  // begin_among_kernels

using namespace host_test;

namespace {

// out = in + 1.
struct First {
  static constexpr int threads = 64;
  using Shared = NoShared;
  void operator()(Shared&, InOut const& p) const {
    std::int64_t const i = block_index() * threads + thread_index();
    if (i < p.count) global(p.out)[i] = global(p.in)[i] + 1;
  }
};

enum class When {
  before_all,
  before_all_and_alone,
  after_the_read,
  by_one_thread,
  by_one_thread_without_barrier,
  never
};

// out = 2 in. When it waits for the kernels before it.
template <When WHEN, bool OVERLAPS = true>
struct Second {
  static constexpr int threads = 64;
  static constexpr bool overlaps = OVERLAPS;
  using Shared = NoShared;
  void operator()(Shared&, InOut const& p) const {
    std::int64_t const i = block_index() * threads + thread_index();
    if constexpr (WHEN == When::before_all) begin_among_kernels();
    if constexpr (WHEN == When::before_all_and_alone) begin_after_kernels();
    if constexpr (WHEN == When::by_one_thread || WHEN == When::by_one_thread_without_barrier) {
      if (thread_index() == 0) begin_among_kernels();
    }
    if constexpr (WHEN == When::by_one_thread) sync_threads();
    float value[1] = {0};
    load_if<1>(global(p.in) + i, value, i < p.count);
    if constexpr (WHEN == When::after_the_read) begin_among_kernels();
    value[0] *= 2;
    store_if<1>(global(p.out) + i, value, i < p.count);
  }
};

struct Memory {
  DeviceBuffer<float> a{"a", 128}, b{"b", 128}, c{"c", 128};
  Memory() {
    std::vector<float> const ones(128, 1.0f);
    a.upload(ones.data(), 128);
  }
};

// The reports of First, then of the kernel. @param read, written  by the second
template <class Kernel>
std::string after_first(Kernel const& kernel, Memory& memory, float const* read, float* written,
                        void (*between)(Memory&), Schedule const& schedule, int workers) {
  set_run_options(RunOptions{"", schedule, true, workers});
  (void)take_reports();
  launch(First{}, 2, InOut{memory.a.data(), memory.b.data(), 128});
  between(memory);
  launch(kernel, 2, InOut{read, written, 128});
  std::string all;
  for (KernelReport const& report : take_reports()) all += text(report);
  set_run_options({});
  return all;
}

constexpr auto nothing = [](Memory&) {};

template <class Kernel>
void check_pair(Kernel const& kernel, float* (*read)(Memory&), float* (*written)(Memory&), std::string const& wanted,
                void (*between)(Memory&) = nothing) {
  for (Schedule const& schedule : schedules) {
    for (int const workers : {1, 3}) {
      INFO("schedule " << name(schedule) << ", workers " << workers);
      Memory memory;
      std::string const found = after_first(kernel, memory, read(memory), written(memory), between, schedule, workers);
      INFO(found);
      if (wanted.empty()) CHECK(found.empty());
      else CHECK(found.find(wanted) != std::string::npos);
    }
  }
}

constexpr auto of_a = [](Memory& m) { return m.a.data(); };
constexpr auto of_b = [](Memory& m) { return m.b.data(); };
constexpr auto of_c = [](Memory& m) { return m.c.data(); };

}  // namespace

TEST_CASE("what the kernel before writes is read after begin_among_kernels() alone", "[host][overlap]") {
  using enum When;
  std::string const race =
      "and kernel First before it writes it and may still run: call begin_among_kernels() first";
  check_pair(Second<after_the_read>{}, of_b, of_c, race);
  check_pair(Second<by_one_thread_without_barrier>{}, of_b, of_c, race);
  check_pair(Second<never>{}, of_b, of_c, race);
  check_pair(Second<before_all>{}, of_b, of_c, "");
  check_pair(Second<before_all_and_alone>{}, of_b, of_c, "");
  check_pair(Second<by_one_thread>{}, of_b, of_c, "");
}

TEST_CASE("what the kernel before reads or writes is overwritten after begin_among_kernels() alone",
          "[host][overlap]") {
  using enum When;
  check_pair(Second<never>{}, of_c, of_a, "and kernel First before it uses it and may still run: call begin_among");
  check_pair(Second<never>{}, of_c, of_b, "and kernel First before it uses it and may still run: call begin_among");
  check_pair(Second<before_all>{}, of_a, of_b, "");
}

TEST_CASE("what no kernel before writes may be read early", "[host][overlap]") {
  check_pair(Second<When::after_the_read>{}, of_a, of_b, "");
}

TEST_CASE("a kernel that does not overlap, or follows a wait of the host's, waits for nobody", "[host][overlap]") {
  check_pair(Second<When::never, false>{}, of_b, of_c, "");
  check_pair(Second<When::after_the_read>{}, of_b, of_c, "", [](Memory&) { synchronize(); });
  check_pair(Second<When::after_the_read>{}, of_b, of_c, "", [](Memory& m) {
    std::vector<float> values(128);
    m.b.download(values.data(), 128);
  });
}

TEST_CASE("a kernel behind the caller's waits for them, whatever it reads or writes", "[host][overlap]") {
  using enum When;
  auto const reported = [](auto const& kernel, bool ended) {
    Memory memory;
    std::vector<float> const ones(128, 1.0f);
    memory.b.upload(ones.data(), 128);
    follow_kernels_of_the_caller();
    if (ended) synchronize();
    return text(run(kernel, 2, InOut{memory.b.data(), memory.c.data(), 128}));
  };
  std::string const writes = "and kernel (the caller's) before it writes it and may still run: call begin_among",
                    uses = "and kernel (the caller's) before it uses it and may still run: call begin_among";
  for (std::string const& early : {reported(Second<never>{}, false), reported(Second<after_the_read>{}, false),
                                   reported(Second<by_one_thread_without_barrier>{}, false)}) {
    INFO(early);
    CHECK(early.find(writes) != std::string::npos);
  }
  CHECK(reported(Second<never>{}, false).find(uses) != std::string::npos);
  CHECK(reported(Second<after_the_read>{}, false).find(uses) == std::string::npos);
  CHECK(reported(Second<before_all>{}, false).empty());
  CHECK(reported(Second<by_one_thread>{}, false).empty());
  CHECK(reported(Second<never, false>{}, false).empty());
  CHECK(reported(Second<after_the_read>{}, true).empty());
}

TEST_CASE("a kernel that overlaps and never waits is reported without a kernel before it", "[host][overlap]") {
  Memory memory;
  std::vector<float> const ones(128, 1.0f);
  memory.b.upload(ones.data(), 128);
  InOut const params{memory.b.data(), memory.c.data(), 128};
  CHECK(only(run(Second<When::never>{}, 2, params), "broken requirement"));
  CHECK(run(Second<When::before_all>{}, 2, params).hazards.empty());
}
