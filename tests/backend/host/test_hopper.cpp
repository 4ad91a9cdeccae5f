// What only Hopper can do wrong: each kernel with a planted bug is caught under every schedule, and its good twin is
// not.

#include "../any/hopper_problems.hpp"  // the kernels and their operands
#include "run_kernel.hpp"              // schedules, text

#include <algorithm>  // std::any_of
#include <fstream>    // the kernels' lines

using namespace host_test;
using namespace hopper_test;

namespace {

// Runs the kernel on fresh operands under every schedule. @param kinds  it must have a hazard of one of these kinds.
// None: it must be clean, and right.
// @param alone  it may have none of another kind
template <class Kernel, class Make>
void check_kinds(Kernel const& kernel, std::int64_t blocks, Make&& make, std::vector<std::string> const& kinds,
                 bool alone = true) {
  for (Schedule const& schedule : schedules) {
    RunOptions options{"sm90", schedule, true, 1};
    set_run_options(options);
    auto const problem = make();
    KernelReport const report = run(kernel, blocks, problem.params(), options);
    INFO("schedule " << name(schedule) << "\n" << text(report));
    if (kinds.empty()) {
      CHECK(report.hazards.empty());
      CHECK(problem.wrong() == 0);
      continue;
    }
    auto const is_one = [&](Hazard const& hazard) {
      return std::find(kinds.begin(), kinds.end(), hazard.kind) != kinds.end();
    };
    CHECK(std::any_of(report.hazards.begin(), report.hazards.end(), is_one));
    if (alone) CHECK(std::all_of(report.hazards.begin(), report.hazards.end(), is_one));
  }
}

// The three shapes: a block with one consumer and two stages, one with two consumers and three, a cluster of two that
// shares B. One mistake in a ring leads to others.
template <Bug BUG>
void check_rings(std::vector<std::string> const& kinds, bool alone = false) {
  check_kinds(Ring<64, 2, 1, 1, BUG>{}, 1, [] { return RingProblem<64, 2, 1, 1>(1, 2, 3, 1); }, kinds, alone);
  check_kinds(Ring<64, 3, 2, 1, BUG>{}, 2, [] { return RingProblem<64, 3, 2, 1>(2, 2, 5, 2); }, kinds, alone);
  check_kinds(Ring<64, 2, 2, 2, BUG>{}, 2, [] { return RingProblem<64, 2, 2, 2>(1, 2, 3, 1); }, kinds, alone);
}

template <Bug BUG>
void check_copies(std::vector<std::string> const& kinds) {
  check_kinds(
      CopyBox<TileSwizzle::bytes_128, 32, 1, BUG>{}, 1,
      [] { return BoxProblem<TileSwizzle::bytes_128, 32, 1>(8, 4, 0); }, kinds);
  check_kinds(
      CopyBox<TileSwizzle::none, 16, 1, BUG>{}, 1, [] { return BoxProblem<TileSwizzle::none, 16, 1>(64, 30, 0); },
      kinds);
  check_kinds(
      CopyBox<TileSwizzle::bytes_64, 8, 2, BUG>{}, 1, [] { return BoxProblem<TileSwizzle::bytes_64, 8, 2>(0, 0, 1); },
      kinds);
}

enum class Use { makes, arrives, announces, waits, waits_for_cluster };

// One thread makes two rings of two mbarriers and then uses the one at `index` of the first ring, but not before a
// barrier; `made` says whether it makes the first ring at all.
struct UsesMbarrier {
  struct Params {
    int index;
    bool made;
    Use use;
  };
  static constexpr char const* name = "UsesMbarrier";
  static constexpr char const* only_on = "sm90";
  static constexpr int threads = 32;
  struct Shared {
    SharedArray<Mbarrier, 2> full, empty;
  };

  TS_DEVICE void operator()(Shared& memory, Params const& p) const {
    auto const full = shared(memory.full, "full"), empty = shared(memory.empty, "empty");
    if (thread_index() == 0) {
      for (int i = 0; i < 2; ++i) {
        if (p.made) mbarrier_init(full + i, 1);
        mbarrier_init(empty + i, 1);
      }
      fence_mbarrier_init();
    }
    sync_threads();
    if (thread_index() != 0) return;
    auto const at = full + p.index;
    if (p.use == Use::makes) mbarrier_init(at, 1);
    if (p.use == Use::arrives) mbarrier_arrive(at);
    if (p.use == Use::announces) mbarrier_arrive_expect(at, 0);
    if (p.use == Use::waits) mbarrier_wait(at, 1);
    if (p.use == Use::waits_for_cluster) mbarrier_wait_cluster(at, 1);
  }
};

// Each block of a launch writes one element of global memory, and its last thread reads the next block's.
template <bool WAITS, int CLUSTER = 2, int THREADS = 32>
struct ReadsNextBlock {
  struct Params {
    float* values;
    float* read;
    int blocks;
  };
  static constexpr char const* name = "ReadsNextBlock";
  static constexpr char const* only_on = "sm90";
  static constexpr int threads = THREADS, cluster = CLUSTER;
  struct Shared {};

  TS_DEVICE void operator()(Shared&, Params const& p) const {
    auto const block = int(block_index());
    if (thread_index() == THREADS - 1) global(p.values)[block] = float(block);
    if constexpr (WAITS) sync_cluster();
    if (thread_index() == THREADS - 1) global(p.read)[block] = float(global(p.values)[(block + 1) % p.blocks]);
  }
};

// A matrix of 16 rows of 8 is brought by TMA, each thread adds 1 to four elements, half of a row, and TMA stores it in
// its old place. Thread 1 reads what thread 0 writes to `told`, behind a barrier.
struct AddsInPlace {
  struct Params {
    TensorMap matrix;
    int* told;
  };
  static constexpr char const* name = "AddsInPlace";
  static constexpr char const* only_on = "sm90";
  static constexpr int threads = 32;
  struct Shared {
    alignas(1024) SharedArray<std::uint16_t, 128> tile;
    SharedArray<Mbarrier, 1> full;
  };

  TS_DEVICE void operator()(Shared& memory, Params const& p) const {
    auto const tile = shared(memory.tile, "tile");
    auto const full = shared(memory.full, "full");
    if (thread_index() == 0) {
      mbarrier_init(full, 1);
      fence_mbarrier_init();
      global(p.told)[0] = 1;
    }
    sync_threads();
    if (thread_index() == 0) {
      mbarrier_arrive_expect(full, 256);
      tma_load(tile, p.matrix, full, 0, 0);
    }
    mbarrier_wait(full, 0);
    if (thread_index() == 1) global(p.told)[1] = int(global(p.told)[0]);
    auto const mine = tile + thread_index() * 4;
    std::uint16_t r[4];
    load<4>(mine, r);
    for (auto& each : r) ++each;
    store<4>(mine, r);
    fence_proxy_async();
    sync_threads();
    if (thread_index() == 0) {
      tma_store(p.matrix, tile, 0, 0);
      tma_store_commit();
      tma_store_wait_read<0>();
    }
  }
};

// What is reported, lines included.
std::string reported_of_use(UsesMbarrier::Params const& params) {
  return full_text(run(UsesMbarrier{}, 1, params, RunOptions{"sm90", schedules[0], true, 1}));
}

std::string const race = "race", copying = "copy in flight", products = "wgmma in flight", fence = "missing fence",
                  bytes = "byte count", deadlock = "deadlock";

}  // namespace

TEST_CASE("good kernels with copies by tensor map, rings and clusters are clean and right", "[host][hopper]") {
  check_copies<Bug::none>({});
  check_rings<Bug::none>({});
}

TEST_CASE("a store that begins before its matrix is found: a load may", "[host][hopper]") {
  check_kinds(CopyBox<TileSwizzle::bytes_128, 32, 1, Bug::stores_before_begin>{}, 1,
              [] { return BoxProblem<TileSwizzle::bytes_128, 32, 1>(-8, 4, 0); }, {"out of bounds"});
  check_kinds(CopyBox<TileSwizzle::none, 16, 1, Bug::stores_before_begin>{}, 1,
              [] { return BoxProblem<TileSwizzle::none, 16, 1>(0, -1, 0); }, {"out of bounds"});
  check_kinds(CopyBox<TileSwizzle::bytes_64, 8, 2, Bug::stores_before_begin>{}, 1,
              [] { return BoxProblem<TileSwizzle::bytes_64, 8, 2>(0, 0, -1); }, {"out of bounds"});
  check_kinds(CopyBox<TileSwizzle::bytes_64, 8, 2>{}, 1,
              [] { return BoxProblem<TileSwizzle::bytes_64, 8, 2>(-8, -3, -1); }, {});
}

TEST_CASE("a store that begins within 16 bytes of a row is found: an H200 says that the instruction is illegal",
          "[host][hopper]") {
  for (int const x : {3, 4, 60})
    check_kinds(CopyBox<TileSwizzle::bytes_128, 32, 1>{}, 1,
                [&] { return BoxProblem<TileSwizzle::bytes_128, 32, 1>(x, 4, 0); }, {"broken requirement"});
}

TEST_CASE("a store of rows that end within 16 bytes writes past its matrix, and is found: a load does not read there",
          "[host][hopper]") {
  for (int const width : {65, 67, 71}) {
    INFO(width);
    check_kinds(CopyBox<TileSwizzle::bytes_128, 32, 1>{}, 1,
                [&] { return BoxProblem<TileSwizzle::bytes_128, 32, 1>(64, 16, 0, width, true); }, {"out of bounds"});
    check_kinds(CopyBox<TileSwizzle::bytes_128, 32, 1>{}, 1,
                [&] { return BoxProblem<TileSwizzle::bytes_128, 32, 1>(0, 16, 0, width, true); }, {});
    check_kinds(CopyBox<TileSwizzle::none, 16, 1>{}, 1,
                [&] { return BoxProblem<TileSwizzle::none, 16, 1>(64, 16, 0, width, true); }, {});
  }
  check_kinds(CopyBox<TileSwizzle::bytes_128, 32, 1>{}, 1,
              [] { return BoxProblem<TileSwizzle::bytes_128, 32, 1>(64, 16, 0, 72, true); }, {});
}

TEST_CASE("a tile that is read before its copy has landed is found", "[host][hopper]") {
  check_copies<Bug::no_wait_for_copy>({copying, race});
  check_rings<Bug::no_wait_for_copy>({copying, products});
}

TEST_CASE("the wrong parity is found: it waits for nothing, or for ever", "[host][hopper]") {
  check_copies<Bug::full_parity>({copying, race});
  check_rings<Bug::full_parity>({copying, products});
  check_rings<Bug::empty_parity>({deadlock}, true);
}

TEST_CASE("a stage that is filled again too early is found", "[host][hopper]") {
  check_rings<Bug::no_wait_for_consumers>({copying, products, race});
  check_rings<Bug::releases_early>({products, race});
  check_kinds(Ring<64, 2, 2, 2, Bug::waits_in_block>{}, 2, [] { return RingProblem<64, 2, 2, 2>(1, 2, 3, 1); },
              {products, race});
  check_rings<Bug::one_wait_too_few>({products, race});
}

TEST_CASE("an mbarrier that is told of other bytes than its copies bring is found", "[host][hopper]") {
  check_copies<Bug::too_few_bytes>({bytes});
  check_copies<Bug::too_many_bytes>({deadlock});
  check_rings<Bug::too_many_bytes>({deadlock}, true);
  check_rings<Bug::too_few_bytes>({copying, bytes});
}

TEST_CASE("ordinary writes that TMA reads without a fence, or without a barrier, are found", "[host][hopper]") {
  check_copies<Bug::no_proxy_fence>({fence});
  check_rings<Bug::no_proxy_fence>({fence}, true);
  check_copies<Bug::no_group_barrier>({race});
  check_rings<Bug::no_group_barrier>({race});
}

TEST_CASE("ordinary writes that wgmma reads without a fence, or without a barrier, are found", "[host][hopper]") {
  auto const check_filled =
      [&]<int N, Major A, Major B, TileSwizzle SWIZZLE, Bug BUG>(std::vector<std::string> const& kinds) {
        struct Problem : TileProblem<N, DType::bf16, A, B, SWIZZLE, false> {
          using TileProblem<N, DType::bf16, A, B, SWIZZLE, false>::TileProblem;
          int wrong() const { return 0; }
        };
        auto const make = [] { return Problem([](int count, int salt) { return integers(count, salt, false); }); };
        check_kinds(FilledProduct<N, A, B, SWIZZLE, BUG>{}, 1, make, kinds);
      };
  auto const check_both = [&]<Bug BUG>(std::vector<std::string> const& kinds) {
    check_filled.operator()<32, Major::k, Major::k, TileSwizzle::bytes_64, BUG>(kinds);
    check_filled.operator()<64, Major::mn, Major::k, TileSwizzle::bytes_128, BUG>(kinds);
  };
  check_both.operator()<Bug::none>({});
  check_both.operator()<Bug::no_proxy_fence>({fence});
  check_both.operator()<Bug::no_group_barrier>({race, products, "uninitialised read"});
}

TEST_CASE("the tile of a store that is written again, or left, too early is found", "[host][hopper]") {
  check_copies<Bug::no_store_wait>({copying});
  check_kinds(Ring<128, 2, 1, 1, Bug::no_store_wait>{}, 1, [] { return RingProblem<128, 2, 1, 1>(1, 1, 3, 1); },
              {copying});
  auto const two_tiles = [] { return RingProblem<64, 3, 2, 1>(2, 1, 2, 1); };
  check_kinds(Ring<64, 3, 2, 1, Bug::no_store_wait>{}, 1, two_tiles, {copying});
}

TEST_CASE("an mbarrier that is used before all know it is found", "[host][hopper]") {
  check_copies<Bug::no_init_fence>({fence});
  check_rings<Bug::no_init_fence>({fence}, true);
  check_copies<Bug::no_init_barrier>({race, "broken requirement"});
}

TEST_CASE("an mbarrier outside of its array is found, also where another array begins there", "[host][hopper]") {
  std::pair<Use, std::string> const uses[] = {{Use::makes, "makes an mbarrier of full"},
                                              {Use::arrives, "arrives at full"},
                                              {Use::announces, "arrives at full"},
                                              {Use::waits, "waits for full"},
                                              {Use::waits_for_cluster, "waits for full"}};
  constexpr int of_empty = 128 / sizeof(Mbarrier);  // arrays begin at multiples of 128 bytes
  for (auto const& [use, does] : uses) {
    for (int const index : {-1, 2, of_empty, 1000}) {
      std::string const side = index < 0 ? "before the first" : "past the last";
      CHECK(without_lines(reported_of_use({index, true, use})) ==
            "out of bounds: kernel UsesMbarrier, block 0, thread 0 " + does + ", element " + std::to_string(index) +
                ": " + side + " of its 2 elements\n");
    }
    if (use != Use::makes) CHECK(reported_of_use({1, true, use}) == "");
  }
  CHECK(reported_of_use({1, false, Use::makes}) == "");
  check_kinds(CopyBox<TileSwizzle::bytes_64, 8, 2, Bug::lands_outside>{}, 1,
              [] { return BoxProblem<TileSwizzle::bytes_64, 8, 2>(0, 0, 1); }, {"out of bounds"}, false);
}

TEST_CASE("an mbarrier that nobody made, or somebody made before, is found", "[host][hopper]") {
  for (Use const use : {Use::arrives, Use::announces, Use::waits, Use::waits_for_cluster}) {
    CHECK(without_lines(reported_of_use({1, false, use})) ==
          "broken requirement: kernel UsesMbarrier, block 0, thread 0 uses mbarrier full, element 1, which nobody has "
          "made: call mbarrier_init() and pass a barrier first\n");
  }
  CHECK(without_lines(reported_of_use({1, true, Use::makes})) ==
        "broken requirement: kernel UsesMbarrier, block 0, thread 0 makes mbarrier full, element 1 a second time\n");
}

TEST_CASE("a phase that lacks an arrival is a deadlock, and the report says who waits for what", "[host][hopper]") {
  check_copies<Bug::one_arrival_too_few>({deadlock});
  check_rings<Bug::one_arrival_too_few>({deadlock}, true);
  RunOptions const options{"sm90", schedules[0], true, 1};
  set_run_options(options);
  RingProblem<64, 2, 1, 1> const problem(1, 1, 4, 1);
  std::string const message = text(run(Ring<64, 2, 1, 1, Bug::one_arrival_too_few>{}, 1, problem.params(), options));
  INFO(message);
  CHECK(message.find("threads 0 to 0 wait for parity 0 of mbarrier empty") != message.npos);
  CHECK(message.find("lacks 1 of 2 arrivals") != message.npos);
  CHECK(message.find("threads 128 to 255 wait for parity 1 of mbarrier full") != message.npos);
}

TEST_CASE("a copy that nobody waits for is found", "[host][hopper]") {
  check_rings<Bug::one_copy_too_many>({copying, deadlock});
  check_rings<Bug::swapped_stage>({race, products, copying, deadlock});
}

TEST_CASE("blocks of a cluster that forget one another are found", "[host][hopper]") {
  auto const make = [] { return RingProblem<64, 2, 2, 2>(1, 1, 4, 1); };
  check_kinds(Ring<64, 2, 2, 2, Bug::releases_own_block>{}, 2, make, {race, products, copying}, false);
  auto const wide = [] { return RingProblem<128, 3, 1, 2>(1, 1, 5, 1); };
  check_kinds(Ring<64, 2, 2, 2, Bug::ends_alone>{}, 2, make, {race, copying});
  check_kinds(Ring<128, 3, 1, 2, Bug::ends_alone>{}, 2, [] { return RingProblem<128, 3, 1, 2>(1, 2, 3, 1); }, {race});
  check_kinds(Ring<128, 3, 1, 2, Bug::releases_own_block>{}, 2, wide, {race, products, copying}, false);
}

TEST_CASE("a cluster's barrier orders global memory among its blocks, and among no others", "[host][hopper]") {
  auto const reported = [](auto const& kernel, int blocks, Schedule const& schedule) {
    RunOptions const options{"sm90", schedule, true, 1};
    set_run_options(options);
    DeviceBuffer<float> values("values", blocks), read("read", blocks);
    typename std::remove_cvref_t<decltype(kernel)>::Params const params{values.data(), read.data(), blocks};
    return run(kernel, blocks, params, options);
  };
  for (Schedule const& schedule : schedules) {
    INFO("schedule " << name(schedule));
    CHECK(text(reported(ReadsNextBlock<true>{}, 2, schedule)) == "");
    CHECK(only(reported(ReadsNextBlock<false>{}, 2, schedule), race));
    CHECK(only(reported(ReadsNextBlock<true>{}, 4, schedule), race));
    // more threads than a block can have
    CHECK(text(reported(ReadsNextBlock<true, 8, 384>{}, 8, schedule)) == "");
    CHECK(only(reported(ReadsNextBlock<false, 8, 384>{}, 8, schedule), race));
  }
}

TEST_CASE("wgmma without its fence, without its wait, or on a tile that is written is found", "[host][hopper]") {
  constexpr auto k = Major::k, mn = Major::mn;
  constexpr auto wide = TileSwizzle::bytes_128, narrow = TileSwizzle::bytes_32;
  auto const ints = [](bool is_f16) { return [=](int count, int salt) { return integers(count, salt, is_f16); }; };
  auto const check_tiles = [&]<Bug BUG>(std::vector<std::string> const& kinds) {
    struct Never { int wrong() const { return 0; } };
    auto const kk = [&] {
      struct P : TileProblem<64, DType::bf16, k, k, wide, false>, Never {
        using TileProblem<64, DType::bf16, k, k, wide, false>::TileProblem;
      };
      return P(ints(false));
    };
    check_kinds(TileProduct<64, DType::bf16, k, k, wide, false, BUG>{}, 1, kk, kinds);
    auto const mm = [&] {
      struct P : TileProblem<32, DType::f16, mn, mn, narrow, false>, Never {
        using TileProblem<32, DType::f16, mn, mn, narrow, false>::TileProblem;
      };
      return P(ints(true));
    };
    check_kinds(TileProduct<32, DType::f16, mn, mn, narrow, false, BUG>{}, 1, mm, kinds);
  };
  check_tiles.operator()<Bug::none>({});
  check_tiles.operator()<Bug::no_products_fence>({fence});
  check_tiles.operator()<Bug::no_products_wait>({products});
  check_tiles.operator()<Bug::releases_early>({products, race});
  check_rings<Bug::no_products_fence>({fence}, true);
}

TEST_CASE("a kernel of Hopper's runs on no other target, and says what it is", "[host][hopper]") {
  set_run_options({"sm90", schedules[0], true, 1});
  RingProblem<64, 2, 1, 1> const problem(1, 1, 1, 1);
  set_run_options({"sm80", schedules[0], true, 1});
  CHECK_THROWS_AS(launch(Ring<64, 2, 1, 1>{}, 1, problem.params()), Error);
  set_run_options({});
}

TEST_CASE("a machine without clusters refuses a kernel that has them", "[host][hopper]") {
  set_run_options({"", schedules[0], true, 1, "sm90:cluster=1"});
  RingProblem<64, 2, 2, 2> const problem(1, 2, 3, 1);
  try {
    launch(Ring<64, 2, 2, 2>{}, 2, problem.params());
    FAIL("it runs");
  } catch (Error const& error) {
    CHECK(error.code() == Exit::not_here);
    CHECK(std::string(error.what())
              .ends_with(" runs in clusters of 2 blocks, and a cluster of sm90:cluster=1 has at "
                         "most 1: choose another configuration"));
  }
  set_run_options({});
}

// A launch in which threads read what others wrote runs again with every access recorded: what its copies stored is
// undone before. And threads that change a part of 16 bytes that a copy brought do not hide the other part.
TEST_CASE("what TMA stores where it was read from is stored once", "[host][hopper]") {
  for (Schedule const& schedule : schedules) {
    RunOptions const options{"sm90", schedule, true, 1};
    set_run_options(options);
    DeviceBuffer<std::uint16_t> matrix("matrix", 128);
    DeviceBuffer<int> told("told", 2);
    Bits values(128);
    for (int i = 0; i < 128; ++i) values[std::size_t(i)] = std::uint16_t(3 * i);
    matrix.upload(values.data(), 128);
    TensorMap const map = make_tensor_map(matrix_tile(matrix.data(), 16, 8, 16, 8, TileSwizzle::none));
    KernelReport const report = run(AddsInPlace{}, 1, AddsInPlace::Params{map, told.data()}, options);
    INFO("schedule " << name(schedule) << "\n" << text(report));
    CHECK(report.hazards.empty());
    matrix.download(values.data(), 128);
    for (int i = 0; i < 128; ++i) CHECK(values[std::size_t(i)] == 3 * i + 1);
  }
  set_run_options({});
}

// g++ with sanitizers leaves some accesses of these kernels without a line.
#if defined(TILESTEP_READS_LINES) && defined(__clang__)

namespace {

// "hopper_kernels.hpp:12": the only line of a file with this text.
std::string line_with(std::string const& text, std::string const& folder = "/../any/",
                      std::string const& name = "hopper_kernels.hpp") {
  std::ifstream file(TILESTEP_TEST_FOLDER + folder + name);
  std::string line, found;
  for (int number = 1; std::getline(file, line); ++number) {
    if (line.find(text) == line.npos) continue;
    REQUIRE(found.empty());
    found = name + ":" + std::to_string(number);
  }
  REQUIRE(!found.empty());
  return found;
}

// All that is reported of the kernel.
template <class Kernel, class Problem>
std::string reported(Kernel const& kernel, Problem const& problem) {
  return full_text(run(kernel, 1, problem.params(), RunOptions{"sm90", schedules[0], true, 1}));
}
template <Bug BUG>
std::string reported_of_copies() {
  set_run_options({"sm90", schedules[0], true, 1});
  BoxProblem<TileSwizzle::bytes_128, 32, 1> const problem(8, 4, 0);
  return reported(CopyBox<TileSwizzle::bytes_128, 32, 1, BUG>{}, problem);
}
template <Bug BUG>
std::string reported_of_ring() {
  set_run_options({"sm90", schedules[0], true, 1});
  RingProblem<64, 2, 1, 1> const problem(1, 2, 3, 1);
  return reported(Ring<64, 2, 1, 1, BUG>{}, problem);
}

}  // namespace

TEST_CASE("hazards of TMA, wgmma and mbarriers name the kernel's lines on both sides", "[host][hopper][lines]") {
  auto const holds = [](std::string const& text, std::string const& part) {
    INFO(text << "\n" << part);
    CHECK(text.find(part) != text.npos);
  };
  std::string const load = line_with("tma_load(tile, p.in, full, p.x, p.y);"), take = line_with("load<8>(at, r);"),
                    put = line_with("store<8>(at, r);"), back = line_with("tma_store(p.out, tile, p.x, p.y);"),
                    make = line_with("mbarrier_init(full, BUG"), wait = line_with("mbarrier_wait(full, BUG"),
                    product = line_with("gemm(mma, tCrA(_, _, i, stage)"), load_a = line_with("tma_load(sA + stage"),
                    wait_stage = line_with("mbarrier_wait(full + stage, parity);"),
                    load_b = line_with("if constexpr (CLUSTER == 1) tma_load(sB");
  holds(reported_of_copies<Bug::no_wait_for_copy>(),
        "(" + take + ") while the copy into it (" + load +
            ") is in flight: wait for the end of its phase of mbarrier full, element 0 after " + load + " and before " +
            take);
  holds(reported_of_copies<Bug::no_proxy_fence>(),
        "reads tile, element 0 (" + back + "), which thread 0 wrote as threads do (" + put + "): let it call");
  holds(reported_of_copies<Bug::no_group_barrier>(),
        "writes tile, element 8 (" + put + "), which a copy of thread 0 (" + back +
            ") has read, with no barrier after that thread's tma_store_wait_read: pass one after " + back +
            " and before " + put);
  holds(reported_of_copies<Bug::no_store_wait>(),
        "ends while its copy is in flight that reads tile, element 0 (" + back + "): wait");
  holds(reported_of_copies<Bug::no_init_barrier>(), wait);
  holds(reported_of_copies<Bug::no_init_barrier>(), make);
  holds(reported_of_copies<Bug::one_arrival_too_few>(), " at " + wait);
  holds(reported_of_ring<Bug::no_wait_for_copy>(),
        "(" + product + ") while the copy into it (" + load_a +
            ") is in flight: wait for the end of its phase of mbarrier full, element 0 after " + load_a +
            " and before " + product);
  holds(reported_of_ring<Bug::one_wait_too_few>(), "(" + load_b + ") while a wgmma that reads it (" + product +
            ") is in flight: let its warpgroup arrive at an mbarrier after wgmma_wait, and wait for that after " +
            product + " and before " + load_b);
  holds(reported_of_ring<Bug::one_arrival_too_few>(), wait_stage);
  holds(reported_of_ring<Bug::no_products_fence>(), "issues a wgmma at " + product + " on accumulators");
}

TEST_CASE("a wrong mbarrier is named with the kernel's line", "[host][hopper][lines]") {
  std::pair<Use, std::string> const uses[] = {{Use::makes, "mbarrier_init"},
                                              {Use::arrives, "mbarrier_arrive"},
                                              {Use::announces, "mbarrier_arrive_expect"},
                                              {Use::waits, "mbarrier_wait"},
                                              {Use::waits_for_cluster, "mbarrier_wait_cluster"}};
  for (auto const& [use, function] : uses) {
    std::string const line = " (" + line_with(") " + function + "(at", "/", "test_hopper.cpp") + ")";
    for (bool const is_outside : {true, false}) {
      std::string const text = reported_of_use({is_outside ? 2 : 1, is_outside || use == Use::makes, use});
      INFO(text << "\n" << line);
      CHECK(text.find(line) != text.npos);
    }
  }
}

#endif
