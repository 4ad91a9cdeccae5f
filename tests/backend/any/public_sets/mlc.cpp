// The symptoms that MLC's book lists for warp-specialised kernels (mlc-ai/modern-gpu-programming-for-mlsys,
// appendix/debugging_warp_specialized.md), each as a bug of one small kernel: a producer fills a ring of stages, a
// warpgroup sums each tile and stores its sums by TMA. Tensor memory is Blackwell's and left out.

#include "../hopper_problems.hpp"  // matrix_tile
#include "case.hpp"                // Case

namespace public_sets {

namespace {

using namespace hopper_test;

enum class Symptom {
  none,
  one_arrival,          // deadlocks: arrivals do not match the mbarrier's count
  init_in_group,        // deadlocks: the mbarriers are made inside of a warpgroup's branch
  sync_in_branch,       // deadlocks: a barrier of the block in a warpgroup's branch
  fewer_k_tiles,        // deadlocks: producer and consumers disagree on the number of tiles
  both_from_zero,       // deadlocks: both sides begin with the same parity
  consumer_from_one,    // the consumer's first wait passes
  parity_reset,         // wrong results: parities begin anew with each tile
  all_lanes_release,    // wrong results: a release without elect
  elect_without_sync,   // the elected lane releases before the others have read
  no_proxy_fence,       // wrong results: the store does not see the threads' writes
  no_store_wait,        // wrong results: the next tile uses the buffer again
  no_store_commit,      // the same: there is no group that could be waited for
  no_init_sync,         // the roles begin before the mbarriers are made
  tile_out_of_range,    // crashes: an index of a tile that does not exist
  stage_behind,         // wrong results: the consumer reads the stage before
};

struct RingMaps {
  TensorMap in, out;
  int* plain;  // (tile)
  int tiles, k_tiles;
};

// How the consumers give a stage back: each thread, or one for all after a barrier of theirs.
enum class Release { each, elected };

template <Symptom BUG, Release RELEASE = Release::each>
struct TileRing {
  static constexpr char const* name = "TileRing";
  static constexpr char const* only_on = "sm90";
  static constexpr int threads = 256, stages = 2, tile = 8 * 64;
  struct Shared {
    alignas(1024) SharedArray<std::uint16_t, stages * tile> ring;
    alignas(1024) SharedArray<std::uint16_t, 128> sums;
    SharedArray<Mbarrier, stages> full, empty;
  };

  TS_DEVICE static void release(SharedPtr<Mbarrier> empty) {
    int const t = thread_index() % 128;
    if constexpr (BUG == Symptom::one_arrival) {
      if (t == 0) mbarrier_arrive(empty);
    } else if constexpr (RELEASE == Release::each) {
      mbarrier_arrive(empty);
    } else {
      if constexpr (BUG != Symptom::elect_without_sync) sync_group<128>(2);  // all have read the stage
      if (BUG == Symptom::all_lanes_release ? t < 32 : t == 0) mbarrier_arrive(empty);
    }
  }

  TS_DEVICE void operator()(Shared& memory, RingMaps const& p) const {
    if constexpr (backend_has_hopper) {
      auto const ring = shared(memory.ring, "ring"), sums = shared(memory.sums, "sums");
      auto const full = shared(memory.full, "full"), empty = shared(memory.empty, "empty");
      if (thread_index() == (BUG == Symptom::init_in_group ? -1 : 0)) {  // thread 0 is not in the second warpgroup
        for (int i = 0; i < stages; ++i) {
          mbarrier_init(full + i, 1);
          mbarrier_init(empty + i, RELEASE == Release::each ? 128 : 1);
        }
        fence_mbarrier_init();
      }
      if constexpr (BUG != Symptom::no_init_sync) sync_threads();  // the mbarriers are made before anybody waits
      int stage = 0;
      if (warpgroup_index() == 0) {
        if (thread_index() != 0) return;
        int parity = BUG == Symptom::both_from_zero ? 0 : 1;
        for (int i = 0; i < p.tiles * p.k_tiles; ++i) {
          mbarrier_wait(empty + stage, parity);
          mbarrier_arrive_expect(full + stage, tile * 2);
          tma_load(ring + stage * tile, p.in, full + stage, 0, i * 8);
          if (++stage == stages) stage = 0, parity ^= 1;
        }
        return;
      }
      int const t = thread_index() % 128;
      int parity = BUG == Symptom::consumer_from_one ? 1 : 0;
      for (int at = 0; at < p.tiles; ++at) {
        if constexpr (BUG == Symptom::parity_reset) parity = 0;
        int sum = 0;
        for (int k = 0; k < p.k_tiles - (BUG == Symptom::fewer_k_tiles ? 1 : 0); ++k) {
          mbarrier_wait(full + stage, parity);
          int const from = BUG == Symptom::stage_behind ? 1 - stage : stage;
          for (int i = 0; i < 4; ++i) sum += int(std::uint16_t(ring[from * tile + i * 128 + (t + 32) % 128]));
          release(empty + stage);
          if (++stage == stages) stage = 0, parity ^= 1;
        }
        if constexpr (BUG != Symptom::no_store_wait) {
          if (t == 0) tma_store_wait_read<0>();
        }
        sync_group<128>(1);  // the store before has read the sums
        sums[t] = std::uint16_t(sum);
        if constexpr (BUG != Symptom::no_proxy_fence) fence_proxy_async();
        if constexpr (BUG == Symptom::sync_in_branch) sync_threads();
        else sync_group<128>(1);  // all have written before the copy reads
        if (t == 0) {
          tma_store(p.out, sums, 0, at * 2);
          if constexpr (BUG != Symptom::no_store_commit) tma_store_commit();
          global(p.plain)[at + (BUG == Symptom::tile_out_of_range ? 1 : 0)] = at;
        }
      }
      if (t == 0) tma_store_wait_read<0>();
    }
  }
};

template <Symptom BUG, Release RELEASE = Release::each>
Case on_ring(Label label) {
  label.target = "sm90";
  return {"MLC", std::move(label), [] {
            constexpr int tiles = 3, k_tiles = 3, rows = tiles * k_tiles * 8;
            Bits in(rows * 64);
            for (std::size_t i = 0; i < in.size(); ++i) in[i] = std::uint16_t(i % 1000);
            DeviceBuffer<std::uint16_t> device_in("in", rows * 64), device_out("out", tiles * 128);
            DeviceBuffer<int> plain("plain", tiles);
            device_in.upload(in.data(), rows * 64);
            RingMaps maps;
            maps.in = make_tensor_map(matrix_tile(device_in.data(), rows, 64, 8, 64, TileSwizzle::none));
            maps.out = make_tensor_map(matrix_tile(device_out.data(), tiles * 2, 64, 2, 64, TileSwizzle::none));
            maps.plain = plain.data();
            maps.tiles = tiles, maps.k_tiles = k_tiles;
            launch(TileRing<BUG, RELEASE>{}, 1, maps);
            synchronize();
            if (BUG != Symptom::none) return true;
            Bits out(tiles * 128), wanted(tiles * 128);
            device_out.download(out.data(), tiles * 128);
            for (int i = 0; i < rows * 64; ++i) {
              std::size_t const column = std::size_t(i % 128 + 96) % 128;
              auto& sum = wanted[std::size_t(i / (k_tiles * 512)) * 128 + column];
              sum = std::uint16_t(sum + in[std::size_t(i)]);
            }
            return out == wanted;
          }};
}

}  // namespace

std::vector<Case> mlc_cases() {
  using enum Symptom;
  std::string const hang = "Deadlocks", wrong = "Wrong Results", crash = "Crashes and Context Poisoning",
                    early = "copy in flight|race|uninitialised read|deadlock";
  return {
      on_ring<none>({"ring", "Step 7 Reference Skeleton", ""}),
      on_ring<none, Release::elected>({"ring, elected release", "Step 7 Reference Skeleton", ""}),
      on_ring<one_arrival>({"one arrival of 128", hang, "deadlock"}),
      on_ring<init_in_group>({"mbarriers made in a branch", hang, "deadlock|broken requirement"}),
      on_ring<sync_in_branch>({"block's barrier in a branch", hang, "divergent barrier|deadlock"}),
      on_ring<fewer_k_tiles>({"one k tile fewer", hang, early}),
      on_ring<both_from_zero>({"both from parity 0", hang, "deadlock"}),
      on_ring<consumer_from_one>({"consumer from parity 1", hang, early}),
      on_ring<parity_reset>({"parity reset for each tile", wrong, early}),
      on_ring<all_lanes_release, Release::elected>({"release without elect", wrong, early}),
      on_ring<elect_without_sync, Release::elected>({"elect without a barrier", wrong, early}),
      on_ring<no_proxy_fence>({"no proxy fence", wrong, "missing fence"}),
      on_ring<no_store_wait>({"no wait for the store", wrong, "copy in flight|race"}),
      on_ring<no_store_commit>({"no commit of the store", wrong, "copy in flight|race"}),
      on_ring<no_init_sync>({"no barrier behind init", "Step 7 Reference Skeleton",
                             "race|deadlock|broken requirement|missing fence|uninitialised read"}),
      on_ring<stage_behind>({"reads the stage before", wrong, early}),
      on_ring<tile_out_of_range>({"tile out of range", crash, "out of bounds"}),
  };
}

}  // namespace public_sets
