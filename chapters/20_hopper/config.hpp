#pragma once
// What a kernel of this chapter is made of. The chapter goes from chapter 19's kernel to the fastest one, variant by
// variant; each changes one of these choices, and the kernel of any combination is the same source.

#include <tilestep/atom/tma.hpp>     // TmaCopy
#include <tilestep/atom/wgmma.hpp>   // SM90_64xNx16_SS, swizzled_tile
#include <tilestep/backend/math.hpp>  // min

#include <type_traits>  // std::is_same_v

namespace tilestep {

// [roles]
/// What the consumers do, the warpgroups that multiply. One warp of a further warpgroup, the producer, issues copies.
///   producer     each has some rows of the same tile of C
///   ping_pong    each of two has a tile of C to itself: while one multiplies, the other stores
enum class Roles { producer, ping_pong };
// [roles]

// [variant]
/// A variant of the kernel: everything that the kernels of this chapter differ in, beside the extents of tiles.
struct Variant {
  Roles roles = Roles::ping_pong;
  /// blocks of a cluster along M, which share their tile of B, and along N, which share A's
  int cluster_m = 1, cluster_n = 1;
  bool persistent = true;            ///< a block has one tile of C after another
  bool copies_out = true;            ///< TMA stores C where it can
  int buffers = 1;                   ///< of a warpgroup, for its part of C on the way out
};
// [variant]

/// @tparam T_  of A and B: half_t or bfloat16_t
/// @tparam M_, N_  of a tile of C; of one warpgroup's where roles are ping-pong
/// @tparam STAGES  tiles of A and B in shared memory   @tparam A, B  the contiguous modes
template <class T_, int M_, int N_, int STAGES, Variant VARIANT, Major A = Major::k, Major B = Major::k>
struct HopperConfig {
  using T = T_;
  static constexpr DType type = std::is_same_v<T, half_t> ? DType::f16 : DType::bf16;
  static constexpr Roles roles = VARIANT.roles;
  static constexpr int cluster_m = VARIANT.cluster_m, cluster_n = VARIANT.cluster_n, cluster = cluster_m * cluster_n,
                       buffers = VARIANT.buffers;
  static constexpr int M = M_, N = N_, K = 64, stages = STAGES;
  using BlkM = Int<M>;
  using BlkN = Int<N>;
  using BlkK = Int<K>;
  static constexpr Major major_a = A, major_b = B;
  /// The same with both operands along K: what becomes of sums is alike in every layout, and compiled for this one.
  using AlongK = HopperConfig<T, M, N, STAGES, VARIANT>;

  /// warpgroups that multiply; one more sends
  static constexpr int consumers = VARIANT.roles == Roles::ping_pong || M > 64 ? 2 : 1;
  static constexpr int threads = warpgroup_size * (consumers + 1);
  /// Arrivals at `empty` for each block: one thread of every warpgroup that reads a stage arrives in every block.
  static constexpr int readers = VARIANT.roles == Roles::ping_pong ? 1 : consumers;

  static constexpr TileSwizzle swizzle_a = widest_swizzle<T>(A, M / cluster_n, K),
                               swizzle_b = widest_swizzle<T>(B, N / cluster_m, K);
  using TileA = decltype(swizzled_tile<T, A, swizzle_a>(Shape<BlkM, BlkK>{}));  // (BLK_M,BLK_K)
  using TileB = decltype(swizzled_tile<T, B, swizzle_b>(Shape<BlkN, BlkK>{}));  // (BLK_N,BLK_K)
  // [smem]
  using SmemA = decltype(swizzled_tile<T, A, swizzle_a>(Shape<BlkM, BlkK, Int<stages>>{}));  // (BLK_M,BLK_K,PIPE)
  using SmemB = decltype(swizzled_tile<T, B, swizzle_b>(Shape<BlkN, BlkK, Int<stages>>{}));  // (BLK_N,BLK_K,PIPE)
  // [smem]

  // Blocks of a cluster along N share A's tile, those along M B's: each copies its part of it to all of them.
  template <int SHARES> using Load = std::conditional_t<SHARES == 1, SM90_TMA_LOAD, SM90_TMA_LOAD_MULTICAST>;
  using TmaA = TmaCopy<Load<cluster_n>, T, TileA, cluster_n>;
  using TmaB = TmaCopy<Load<cluster_m>, T, TileB, cluster_m>;

  static_assert(M == 64 || M % 128 == 0, "warpgroups that share a tile have as many rows each, whole instructions");
};

}  // namespace tilestep
