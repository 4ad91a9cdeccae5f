#pragma once
// What a kernel of this chapter is made of. The chapter climbs from chapter 17's kernel to the fastest one, rung by
// rung; each rung changes one of these choices, and the kernel of any combination is the same source.

#include <tilestep/atom/wgmma.hpp>   // OperandTile, Major
#include <tilestep/backend/math.hpp>  // min

#include <type_traits>  // std::is_same_v

namespace tilestep {

/// Which instruction multiplies.
enum class MultiplyBy { mma_sync, wgmma };

// [roles]
/// Who does what in a block.
///   one          every warp multiplies; one thread of theirs sends for tiles, too
///   producer     a warp of its own sends for tiles, the other warpgroups multiply: each some rows of the same tile of
///   C
///   ping_pong    the same, but each of two warpgroups has a tile of C to itself: while one multiplies, the other
///   stores
enum class Roles { one, producer, ping_pong };
// [roles]

// [rung]
/// A rung of the climb: everything that the kernels of this chapter differ in, beside the extents of tiles.
struct Rung {
  MultiplyBy by = MultiplyBy::wgmma;
  Roles roles = Roles::ping_pong;
  /// blocks of a cluster along M, which share their tile of B, or along N, which share A's
  int cluster_m = 1, cluster_n = 1;
  bool persistent = true;            ///< a block has one tile of C after another
  bool copies_out = true;            ///< C leaves by the copy engine where it can
  int buffers = 1;                   ///< of a warpgroup, for its part of C on the way out
};
// [rung]

namespace detail {
/// The widest swizzle that an operand's tile can have.
constexpr TileSwizzle widest_swizzle(Major major, int x, int k) {
  int const run = major == Major::k ? k : x;
  return run % 64 == 0 ? TileSwizzle::bytes_128 : run % 32 == 0 ? TileSwizzle::bytes_64 : TileSwizzle::bytes_32;
}
}  // namespace detail

/// @tparam T_  of A and B: half_t or bfloat16_t
/// @tparam M_, N_  of a tile of C; of one warpgroup's where roles are ping-pong
/// @tparam STAGES  tiles of A and B in shared memory   @tparam A, B  the contiguous modes
template <class T_, int M_, int N_, int STAGES, Rung RUNG, Major A = Major::k, Major B = Major::k>
struct HopperConfig {
  using T = T_;
  static constexpr MatrixType type = std::is_same_v<T, half_t> ? MatrixType::f16 : MatrixType::bf16;
  static constexpr Roles roles = RUNG.roles;
  static constexpr int cluster_m = RUNG.cluster_m, cluster_n = RUNG.cluster_n, cluster = cluster_m * cluster_n,
                       buffers = RUNG.buffers;
  static constexpr int M = M_, N = N_, K = 64, stages = STAGES;
  using TileA = OperandTile<M, K, A, detail::widest_swizzle(A, M, K)>;
  using TileB = OperandTile<N, K, B, detail::widest_swizzle(B, N, K)>;

  /// instructions belong to warps, not to warpgroups
  static constexpr bool by_warps = RUNG.by == MultiplyBy::mma_sync;
  /// warpgroups that multiply
  static constexpr int consumers = RUNG.roles == Roles::ping_pong || by_warps ? 2 : M / 64;
  static constexpr bool has_producer = RUNG.roles != Roles::one;
  static constexpr int threads = warpgroup_size * (consumers + (has_producer ? 1 : 0));
  /// Who says that a stage was read: one thread of every warp or warpgroup that reads it, to every block of the
  /// cluster.
  static constexpr int readers = RUNG.roles == Roles::ping_pong ? 1 : by_warps ? 4 * consumers : consumers;

  static_assert(RUNG.cluster_m == 1 || RUNG.cluster_n == 1, "a cluster lies along M or along N");
  static_assert(!by_warps || (A == Major::k && B == Major::k && RUNG.roles != Roles::ping_pong && M == 128),
                "mma.sync: 8 warps on 128 rows, operands along K");
  static_assert(by_warps || RUNG.roles == Roles::ping_pong || M == 64 || M == 128,
                "warpgroups that share a tile have 64 of its 64 or 128 rows each");
};

}  // namespace tilestep
