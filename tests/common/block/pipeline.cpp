// What a pipeline is made of: a ring of tiles, the parts of a warp's copies, and what travels where.

#include <tilestep/block/pipeline.hpp>  // Pipeline, make_ring

#include <catch2/catch_test_macros.hpp>  // CHECK

#include <set>     // places
#include <vector>  // places of a thread

using namespace tilestep;

namespace {

template <Route By, int Stages, int Bytes>
using Tested = Pipeline<GemmConfig<CDNA_32x32x8_F32F16F16F32, BlockTile<256, 128, 32, 2, 2>, half_t, Contiguous::k,
                                   Contiguous::k, 8, Arrangement::swizzled>,
                        By, Stages, 2, Bytes>;

/// Where the vectors of a thread's part of A go, as offsets in shared memory.
template <class Config>
auto places_of(int thread) {
  // (CPY,CPY_M,CPY_K)
  auto const coords =
      Config::CopyA::slice(Config::copier(thread))
          .partition_D(make_identity_tensor(make_shape(typename Config::BlkM{}, typename Config::BlkK{})));
  std::vector<int> places;
  for (int m = 0; m < int(size<1>(coords)); ++m) {
    for (int k = 0; k < int(size<2>(coords)); ++k) {
      auto const c = coords(0, m, k);
      places.push_back(int(typename Config::SmemA{}(get<0>(c), get<1>(c))));
    }
  }
  return places;
}

/// @param vec  elements of a vector
template <class Config>
void check_side_by_side(int vec) {
  std::set<int> all;
  for (int thread = 0; thread < Config::threads; ++thread) {
    auto const places = places_of<Config>(thread), first = places_of<Config>(thread / 64 * 64);
    REQUIRE(places.size() == first.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
      CHECK(places[i] == first[i] + thread % 64 * vec);
      all.insert(places[i]);
    }
  }
  CHECK(int(all.size()) * vec == 256 * 32);
}

}  // namespace

TEST_CASE("a tile takes the place of the tile that is as many before it as there are stages", "[block][pipeline]") {
  float memory[96];
  auto const ring = make_ring<3>(&memory[0], Layout<Shape<_4, _8>, Stride<_8, _1>>{});
  for (int tile = 0; tile < 9; ++tile) CHECK(ring(tile).data() == memory + tile % 3 * 32);
  CHECK(make_ring<1>(&memory[0], Layout<_4>{})(7).data() == memory);
}

TEST_CASE("the lanes of a warp's copy write side by side, whatever the swizzle, and all of them the whole tile",
          "[block][pipeline]") {
  check_side_by_side<Tested<Route::async_warp, 2, 4>>(2);
  check_side_by_side<Tested<Route::async_warp, 2, 16>>(8);
}

TEST_CASE("a pipeline says how many tiles travel, and how many copies of a thread a tile is", "[block][pipeline]") {
  CHECK(Tested<Route::registers, 1, 16>::ahead == 1);
  CHECK(Tested<Route::registers, 2, 16>::ahead == 1);
  CHECK(Tested<Route::async_warp, 3, 16>::ahead == 2);
  CHECK(Tested<Route::async_warp, 2, 4>::copies == 24);
  CHECK(Tested<Route::registers, 1, 16>::copies == 6);
}
