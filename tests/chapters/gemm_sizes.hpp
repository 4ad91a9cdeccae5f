#pragma once
// The problems that every GEMM chapter must get right: exact tile, one less, one more, 1x1x1, K = 0, no
// rows, primes, leading dimensions larger than a row, batches, alpha and beta.

#include <string>  // command-line options
#include <vector>  // the table

namespace tilestep::test {

/// @param tile the kernel's block tile along M and N, and a K that fits it
/// @return options for the command line, without --layout
inline std::vector<std::string> gemm_sizes(int tile) {
  auto const size = [](int m, int n, int k) {
    return "--m " + std::to_string(m) + " --n " + std::to_string(n) + " --k " + std::to_string(k);
  };
  return {
      size(tile, tile, tile),
      size(tile - 1, tile - 1, tile - 1),
      size(tile + 1, tile + 1, tile + 1),
      size(1, 1, 1),
      size(42, 64, 32),
      size(5, 7, 0),
      size(5, 7, 0) + " --beta 2",
      size(0, 5, 3),
      size(5, 0, 3),
      size(37, 101, 53),
      size(101, 37, 2) + " --alpha -2 --beta 1",
      size(1, 2 * tile + 3, 19),
      size(2 * tile + 3, 1, 19) + " --beta -1",
      size(31, 29, 23) + " --lda 150 --ldb 151 --ldc 152 --beta 3",
      size(17, 19, 13) + " --batch 3 --alpha 2 --beta -1",
      size(3, 3, 3) + " --batch 0",
  };
}

}  // namespace tilestep::test
