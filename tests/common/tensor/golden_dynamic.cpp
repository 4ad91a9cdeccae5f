// CuTe's results for tiles and partitions of dynamic layouts.

#include "golden.hpp"  // check_tile, check_partition

using namespace tensor_test;

namespace {
constexpr bool golden_static = false;
}  // namespace

TEST_CASE("local_tile gives CuTe's tiles of dynamic layouts", "[tensor][golden]") {
#include "golden/dynamic/local_tile.inc"
}

TEST_CASE("local_tile with a projection gives CuTe's tiles of dynamic layouts", "[tensor][golden]") {
#include "golden/dynamic/local_tile_proj.inc"
}

TEST_CASE("local_partition gives CuTe's partitions of dynamic layouts", "[tensor][golden]") {
#include "golden/dynamic/local_partition.inc"
}
