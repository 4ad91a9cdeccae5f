#pragma once
// What the tests of chapters 18 and 19 have in common: Hopper GPUs that no one has made, and how C is stored.

#include "17_optimized_gemm/tiles.hpp"  // size
#include "gemm_program.hpp"             // Batch

#include <string>   // options
#include <utility>  // std::pair
#include <vector>   // types

namespace tilestep::test {

/// They compute a problem on devices of any size, or refuse it in one sentence. @param types  options each
inline void expect_devices_of_any_size(std::vector<std::string> const& types) {
  Batch batch;
  // 78, 114 and 3 multiprocessors, and no clusters
  for (std::string const machine : {"sm90:units=78", "sm90:units=114", "sm90:units=3", "sm90:cluster=1"}) {
    for (std::string const& type : types) {
      batch.expect(0, "--machine " + machine + " " + type + " --layout nt" + size(300, 520, 264), "verdict: right");
      batch.expect(0, "--machine " + machine + " " + type + " --layout tn" + size(16, 264, 1160), "verdict: right");
    }
  }
  // the shared memory of a GeForce card; a machine of compute capability 10.0, which runs sm80's kernels
  batch.expect(3, "--machine sm90:shared=101376" + size(300, 520, 264),
               "no kernel for these types fits sm90:shared=101376, which gives a block 101376 bytes of shared memory");
  batch.expect(3, "--machine sm80:units=148,shared=232448" + size(300, 520, 264), "it runs on sm90");
}

/// C of 256 x 512 is stored in whole sectors, two elements of a lane at a time; one by one where rows are no pairs.
inline void expect_pairs_of_c() {
  auto const stored = [](std::string const& options) {  // requests, and sectors beyond the fewest
    Ran const ran = run("--target sm90 --layout nt " + options);
    INFO(ran.output);
    CHECK(ran.exit_code == 0);
    long const sectors = counter(ran.output, "global store sectors");
    return std::pair{counter(ran.output, "global store requests"),
                     sectors - counter(ran.output, "global store sectors ideal")};
  };
  long const pairs = 4 * 8 * 64;  // blocks, warps, pairs of a lane
  CHECK(stored(size(256, 512, 64)) == std::pair{pairs, 0L});
  CHECK(stored(size(256, 512, 64) + " --beta -2") == std::pair{pairs, 0L});
  for (std::string const& odd : {size(256, 511, 64), size(256, 512, 64) + " --ldc 513"}) {
    auto const [requests, more] = stored(odd);
    CHECK(requests == 2 * pairs);
    CHECK(more > 0);
  }
}

}  // namespace tilestep::test
