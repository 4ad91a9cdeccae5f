// CuTe's results for tiles and partitions of static layouts.

#include "golden.hpp"  // check_tile, check_partition

using namespace tensor_test;

namespace {
constexpr bool golden_static = true;
}  // namespace

TEST_CASE("local_tile gives CuTe's tiles of static layouts", "[tensor][golden]") {
#include "golden/static/local_tile.inc"
}

TEST_CASE("local_tile with a projection gives CuTe's tiles of static layouts", "[tensor][golden]") {
#include "golden/static/local_tile_proj.inc"
}

TEST_CASE("local_partition gives CuTe's partitions of static layouts", "[tensor][golden]") {
#include "golden/static/local_partition.inc"
}
